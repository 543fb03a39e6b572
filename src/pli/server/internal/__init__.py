"""The internal address of a server: for operators and other servers, never for players."""
