"""A dealer of poker rounds from automated and manual shoes, and what can go otherwise in them."""
