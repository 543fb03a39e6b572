"""What happened in games, computed from the journal off the event loop: logs, replays, records."""
