"""WebSocket connections."""
