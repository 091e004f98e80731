"""Which of a dealer's patrons her mistakes fall on, and which hands of a patron have exchanged cards."""
