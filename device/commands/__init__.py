"""One file a subcommand: `add(parser)` declares its arguments and sets `run`, which returns the exit status."""
