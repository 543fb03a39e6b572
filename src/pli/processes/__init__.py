"""Work in other processes. Two ways, for two needs:

- `supervisor`: long-lived workers of a server. They answer requests with deadlines, one after the
  other, are replaced when they crash or hang, and never make the caller wait for that.
- `jobs`: a finite list of jobs whose results are all wanted. That is what the standard library's
  process pool does; a job that crashes its process is an error there, not something to recover
  from.
"""

from pli.processes.jobs import check_cancelled, map_unordered
from pli.processes.supervisor import PATIENCE, PAUSES, Supervisor, Worker

__all__ = ["PATIENCE", "PAUSES", "Supervisor", "Worker", "check_cancelled", "map_unordered"]
