"""The MCP server `lifehelper mcp`: the same registry and dispatcher for other programs."""
