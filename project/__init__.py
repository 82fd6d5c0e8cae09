"""The sample project: a library with two branches, as a Django project and an MCP server."""
