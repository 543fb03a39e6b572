"""What a table is, made from its entries alone: no network, no clock, no disk."""
