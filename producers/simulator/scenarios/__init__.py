"""Named sessions: lawful ones, irregularities put right, and one wrong at a time."""
