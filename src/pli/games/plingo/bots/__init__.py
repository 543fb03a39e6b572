"""What bots know about Plingo."""
