"""The library over MCP: the same content for agents that speak the Model Context Protocol."""

PATH = "/mcp"
