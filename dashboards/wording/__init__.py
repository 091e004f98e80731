"""Words that several rooms share: money, times, and the headings and values of findings."""
