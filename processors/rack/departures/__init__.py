"""Where no lawful round leaves a rack: the reconstruction with the fewest departures, each with its provision."""
