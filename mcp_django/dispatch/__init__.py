"""Floor 4: servers, and which method is answered by what."""
