"""What a call costs, measured beside a bare Django view and two other MCP servers."""
