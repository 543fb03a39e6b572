"""The journal in a PostgreSQL database, which several servers share: one statement for all appends
that wait, owners and epochs of tables, a registry of servers with leases, migrations."""
