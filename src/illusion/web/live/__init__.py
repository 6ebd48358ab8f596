"""Live connections: a hub per table, pages by WebSocket, programs by event stream."""
