"""One language of filters: words, names, numbers, money and times, as people type them into every list."""
