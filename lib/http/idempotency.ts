import { type Endpoint, takesIdempotencyKey } from "../api/endpoint.ts"
import { AppError, messageOf } from "../domain/errors.ts"
import type { StoredResponse } from "../domain/idempotency.ts"
import { newId, sha256 } from "../domain/ids.ts"
import type { Deps } from "../services/deps.ts"
import { readTokenId } from "./auth/scopes.ts"

const HEADER = "idempotency-key"
const REPLAYED_HEADER = "idempotent-replayed"
const MAX_KEY_CHARS = 255
/** How long the key of a process that died blocks a repetition. The request renews it while it runs. */
const LEASE_MS = 30_000
/** A job is created within a second; other requests run until their work is done. */
const RETRY_IN_MS = 1000

/** What a request does, once: `run` gets an ID that is the same for each repetition of a request without a known outcome. */
export type Operation = {
  /** Everything that makes the request another one if it differs. */
  readonly identity: unknown
  readonly run: (operationId: string) => Promise<Response>
  /** Removes what has been received for a request that does not run. */
  readonly discard?: () => Promise<void>
}

/** Each API token has its own keys: no caller gets the response to another one. A key cannot contain a line break. */
const withTokenId = (key: string, tokenId: string | null): string => (tokenId === null ? key : `${tokenId}\n${key}`)

/**
 * Returns the idempotency key of a request and its token, if its endpoint takes one. The quotes of a structured header are not
 * part of it.
 * @throws AppError `invalid`
 */
export const readIdempotencyKey = (endpoint: Endpoint, request: Request): string | null => {
  const given = request.headers.get(HEADER)
  if (given === null || !takesIdempotencyKey(endpoint)) return null
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given
  if (key.length <= MAX_KEY_CHARS && /^[\x20-\x7e]+$/.test(key)) return withTokenId(key, readTokenId(request))
  const msg = `must have 1 to ${MAX_KEY_CHARS} ASCII characters`
  throw new AppError("invalid", `Idempotency-Key: ${msg}`, {
    errors: [{ loc: ["header", HEADER], msg, type: "invalid_format" }],
  })
}

const toStored = async (response: Response): Promise<StoredResponse> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.clone().text(),
})

const replay = ({ status, headers, body }: StoredResponse): Response =>
  new Response(body === "" ? null : body, { status, headers: { ...headers, [REPLAYED_HEADER]: "true" } })

const inUse = (): AppError =>
  new AppError(
    "idempotency_key_in_use",
    "A request with this Idempotency-Key is still running. Repeat yours after the time in Retry-After.",
    { retryInMs: RETRY_IN_MS },
  )

const reused = (): AppError =>
  new AppError(
    "idempotency_key_reused",
    "This Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request.",
  )

/**
 * Runs an operation, or returns the response of an earlier request with the same key. A failed request frees its key.
 * @throws AppError `idempotency_key_in_use`, `idempotency_key_reused`; the errors of the operation
 */
export const runKeyed = async (
  { idempotency, log }: Pick<Deps, "idempotency" | "log">,
  key: string | null,
  { identity, run, discard = async () => undefined }: Operation,
): Promise<Response> => {
  if (key === null) return run(newId())
  const request = { key, fingerprint: sha256(JSON.stringify(identity)) }
  const result = await idempotency.claim(request, { leaseMs: LEASE_MS }).catch(async (error: unknown) => {
    await discard()
    throw error
  })
  if (result.kind !== "run") {
    await discard()
    if (result.kind === "replay") return replay(result.response)
    throw result.kind === "running" ? inUse() : reused()
  }
  const { claim, operationId } = result
  const warn = (error: unknown) => log.warn({ detail: messageOf(error) }, "failed to update an idempotency key")
  const renewal = setInterval(() => void idempotency.renew(claim, { leaseMs: LEASE_MS }).catch(warn), LEASE_MS / 3)
  try {
    const response = await run(operationId)
    // If this fails, a repetition after the lease runs with the same operation ID.
    if (response.ok) await idempotency.complete(claim, await toStored(response)).catch(warn)
    else await idempotency.release(claim).catch(warn)
    return response
  } catch (error) {
    await idempotency.release(claim).catch(warn)
    throw error
  } finally {
    clearInterval(renewal)
  }
}
