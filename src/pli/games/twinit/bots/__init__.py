"""What bots know about Twin It!."""
