import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

const NAME = "earmark_session"
const LIFETIME_S = 30 * 24 * 3600

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Compares in a time that tells nothing about where two texts differ, nor about their lengths. */
export const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

/** What the cookie proves is that somebody knew the token, until a moment: the token itself is not in it. */
const seal = (token: string, until: number): string =>
  createHmac("sha256", token).update(`earmark session until ${until}`).digest("base64url")

/** A browser sends Secure cookies over https alone; a proxy that ends TLS in front of the service says so. */
const attributes = (request: IncomingMessage): string =>
  `Path=/; HttpOnly; SameSite=Strict${request.headers["x-forwarded-proto"] === "https" ? "; Secure" : ""}`

/** The Set-Cookie of a login. A new token makes all earlier ones void. */
export const sessionCookie = (request: IncomingMessage, token: string, now = Date.now()): string => {
  const until = now + LIFETIME_S * 1000
  return `${NAME}=${until}.${seal(token, until)}; Max-Age=${LIFETIME_S}; ${attributes(request)}`
}

/** The Set-Cookie of a logout. */
export const expiredSessionCookie = (request: IncomingMessage): string => `${NAME}=; Max-Age=0; ${attributes(request)}`

/** Whether a request carries a cookie that was given for this token and has not run out. */
export const hasSession = ({ headers }: Pick<IncomingMessage, "headers">, token: string, now = Date.now()): boolean =>
  (headers.cookie ?? "").split(";").some((pair) => {
    const [name, value = ""] = pair.trim().split("=")
    const [until, mac = ""] = name === NAME ? value.split(".") : []
    return (
      until !== undefined && /^\d{1,15}$/.test(until) && Number(until) > now && isSame(mac, seal(token, Number(until)))
    )
  })

/** Whether a request carries the token, as programs do. */
export const hasBearer = ({ headers }: Pick<IncomingMessage, "headers">, token: string): boolean => {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1]
  return given !== undefined && isSame(given.trim(), token)
}
