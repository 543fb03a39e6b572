"""What bots know about Marshmallow Test."""
