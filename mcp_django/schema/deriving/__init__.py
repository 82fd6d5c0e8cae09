"""From a signature to a serializer."""
