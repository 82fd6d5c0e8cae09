"""Floor 1: DRF serializers and Python signatures as JSON Schema, and back."""
