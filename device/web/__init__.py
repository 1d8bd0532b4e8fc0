"""The page: scoreboard, phone remote, live stream and JSON, served to the local network only."""
