"""What an operator does with the tables of a journal: looks at them, ends, deletes, anonymizes,
copies and checks them. Works on one table at a time, whatever stores the journal."""
