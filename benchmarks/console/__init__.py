"""What the console costs and how soon it shows what it is asked for, in a real browser and out of a full store."""
