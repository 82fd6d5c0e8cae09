"""Floor 0: the Model Context Protocol as data. Pure Python, no Django."""
