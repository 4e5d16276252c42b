"""The table for many: an HTTP and WebSocket server, its store and its page."""
