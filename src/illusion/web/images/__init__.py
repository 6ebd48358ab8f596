"""Pictures of cards and faces of bots."""
