"""Cards that came out face up or by mistake."""
