"""Floor 2: what a project declares, as frozen records."""
