"""From a serializer to its JSON Schema: drf-spectacular, and what MCP needs beside it."""
