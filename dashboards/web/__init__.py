"""What every page of the console shares: the request, the gate, the navigation, templates and refusals."""
