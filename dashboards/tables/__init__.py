"""Tables: what each does now, its shoe, its last rounds and its chip tray."""
