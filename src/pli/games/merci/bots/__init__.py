"""What bots know about Merci."""
