import * as z from "zod"
import type { Endpoints } from "./endpoint.ts"

/** A message of JSON-RPC 2.0. The MCP server validates its content. */
const mcpMessage = z.looseObject({
  jsonrpc: z.literal("2.0").describe("The version of JSON-RPC"),
  id: z.union([z.string(), z.number(), z.null()]).optional().describe("Missing in a notification"),
  method: z.string().optional().describe("The method, such as `tools/call`"),
  params: z.record(z.string(), z.unknown()).optional().describe("The parameters of the method"),
})

export const mcpEndpoints = {
  mcp: {
    method: "POST",
    path: "/mcp",
    scope: "read",
    withoutKey: true,
    summary: "Serves MCP clients over streamable HTTP, without sessions",
    needs: ["rag", "mcp"],
    body: {
      name: "McpMessage",
      schema: mcpMessage,
      example: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search_recordings", arguments: { query: "comet" } },
      },
    },
    types: ["application/json", "text/event-stream"],
    otherStatuses: {
      202: { description: "Accepted: the message is a notification" },
      400: { description: "An error, or a JSON-RPC error if the body is JSON but no valid message", hasBody: true },
      406: { description: "A JSON-RPC error: the client must accept JSON and event streams", hasBody: true },
    },
  },
} as const satisfies Endpoints
