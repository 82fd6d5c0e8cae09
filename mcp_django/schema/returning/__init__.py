"""From what a tool returned to content, and to structured content held to its schema."""
