import type { McpHttpHandler } from "@modelcontextprotocol/server"
import { checkScope, type Scope } from "../domain/tokens.ts"
import type { Deps } from "../services/deps.ts"
import { type Api, createLocalApi } from "../services/local-api.ts"
import { loadMcpServerFactory } from "./server.ts"

/** The handler of this process. It keeps no state between requests. */
let loaded: Promise<McpHttpHandler> | undefined

/** Returns an API whose changes need the scope `write`. */
const requireWriteScope = (api: Api, scopes: readonly Scope[]): Api => ({
  ...api,
  submit: async (...args) => {
    checkScope(scopes, "write")
    return api.submit(...args)
  },
})

const loadHandler = async (deps: Deps): Promise<McpHttpHandler> => {
  const createServer = await loadMcpServerFactory(deps.log)
  const { createMcpHandler } = await import("@modelcontextprotocol/server")
  const api = createLocalApi(deps)
  const onerror = (err: Error) => deps.log.debug({ err }, "MCP request rejected")
  return createMcpHandler(({ authInfo }) => createServer(requireWriteScope(api, (authInfo?.scopes ?? []) as Scope[])), {
    onerror,
  })
}

export type McpRequest = {
  readonly request: Request
  /** The body of the request. */
  readonly message: unknown
  /** What the caller may do. */
  readonly scopes: Scope[]
}

/** Answers an MCP request over streamable HTTP. */
export const answerMcpRequest = async (deps: Deps, { request, message, scopes }: McpRequest): Promise<Response> => {
  loaded ??= loadHandler(deps)
  // The guard has checked the token.
  const authInfo = { token: "", clientId: "", scopes }
  return (await loaded).fetch(request, { parsedBody: message, authInfo })
}
