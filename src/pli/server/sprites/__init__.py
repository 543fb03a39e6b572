"""Pictures that only eyes can compare: sheets, and the processes that draw them."""
