"""Protocol sessions as an earlier server recorded them."""
