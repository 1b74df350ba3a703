import { settings } from "./environment.ts"
import { withApi } from "./remote.ts"

/** How long a token of the demo works if the demo is killed before it revokes it. */
const LIFETIME_MS = 3_600_000

/** How the demo calls the service that it started. */
export type DemoAccess = {
  /** Undefined if the service requires none. */
  readonly token: string | undefined
  /** Tells people how to sign in to the pages. Empty if the service requires no token. */
  readonly hint: string
  readonly end: () => Promise<void>
}

const nothing = async () => undefined

/**
 * Returns the token of the setting. If only stored tokens protect the service, whose secrets nobody can read, creates one that
 * `end` revokes.
 */
export const openDemoAccess = async (): Promise<DemoAccess> => {
  const { token } = settings().http
  if (token !== undefined) return { token, hint: "\nSign in with the value of SERVICE_API_TOKEN.", end: nothing }
  let access: DemoAccess = { token, hint: "", end: nothing }
  await withApi({}, async (api) => {
    if ((await api.tokens()).tokens.length === 0) return
    const expires_at = new Date(Date.now() + LIFETIME_MS).toISOString()
    const created = await api.createToken({ name: "earmark demo", scopes: ["write"], expires_at })
    access = {
      token: created.token,
      hint: "\nSign in with an API token. `npx earmark tokens create demo` prints a new one.",
      end: () => withApi({}, (own) => own.revokeToken(created.id)),
    }
  })
  return access
}
