"""What is said over HTTP and WebSockets: messages and bodies, with their checks."""
