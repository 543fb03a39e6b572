"""Games told again from the journal, away from the event loop: logs, replays, records."""
