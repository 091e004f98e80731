"""Revenue as it is filed: one line for each table, game, pit, dealer, shift or day, as JSON, CSV, workbook and PDF."""
