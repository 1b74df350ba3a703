import * as z from "zod"
import { apiToken, apiTokenRequest } from "../domain/tokens.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const tokenParams = z.object({ id: z.string().min(1).describe("The ID of the token") })

const tokenList = z.object({
  tokens: z.array(apiToken).describe("Oldest first, including expired ones"),
  is_setting_set: z.boolean().describe("True if SERVICE_API_TOKEN is set, which has every scope"),
})
export type TokenList = z.infer<typeof tokenList>

const createdToken = apiToken.extend({
  token: z.string().describe("The token itself. Only this response contains it"),
  warnings: requestWarnings,
})
export type CreatedToken = z.infer<typeof createdToken>

export const tokenEndpoints = {
  listTokens: {
    method: "GET",
    path: "/tokens",
    scope: "admin",
    summary: "Lists the API tokens, oldest first, without the tokens themselves",
    call: "tokens",
    needs: ["rag"],
    response: { name: "TokenList", schema: tokenList },
  },
  createToken: {
    method: "POST",
    hasSecret: true,
    path: "/tokens",
    scope: "admin",
    summary: "Creates an API token. From the first one on, the service requires a token",
    call: "createToken",
    needs: ["rag"],
    body: {
      name: "ApiTokenRequest",
      schema: apiTokenRequest,
      example: { name: "nightly import", scopes: ["write"], expires_at: "2027-02-21T08:00:00Z" },
    },
    status: 201,
    response: { name: "CreatedToken", schema: createdToken },
    location: "/tokens",
    errors: [409],
  },
  revokeToken: {
    method: "DELETE",
    path: "/tokens/{id}",
    scope: "admin",
    summary: "Revokes an API token and ends the sessions of browsers that signed in with it",
    call: "revokeToken",
    needs: ["rag"],
    params: tokenParams,
    status: 204,
  },
} as const satisfies Endpoints
