"""Where events come from: files, folders and pipes, as lines with their origin."""
