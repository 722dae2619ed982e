"""Tools of MCP servers that the user added: untrusted programs, each in a process of its own."""
