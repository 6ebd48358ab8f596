"""What a reader has chosen: their language and the settings of their device."""
