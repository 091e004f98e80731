"""From chained events to rounds and findings; pure below the runtime."""
