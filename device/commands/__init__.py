"""One file a subcommand: `add(subparsers)` declares it, its `run(args)` returns the exit status."""
