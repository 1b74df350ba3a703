import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { parseCookie, stringifySetCookie } from "cookie"

const COOKIE_NAME = "earmark_session"
const LIFETIME_S = 30 * 24 * 3600

type Headers = Pick<IncomingMessage, "headers">

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Compares two texts in a time that reveals neither where they differ nor how long they are. */
export const isEqualConstantTime = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

const sign = (token: string, expiresAt: number): string =>
  createHmac("sha256", token).update(`earmark session until ${expiresAt}`).digest("base64url")

const setCookie = ({ headers }: Headers, value: string, maxAge: number): string =>
  stringifySetCookie({
    name: COOKIE_NAME,
    value,
    maxAge,
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    // Browsers send Secure cookies over HTTPS only. A proxy that terminates TLS sets this header.
    secure: headers["x-forwarded-proto"] === "https",
  })

/**
 * Returns the Set-Cookie header of a login. The cookie holds an expiry time and its signature, not the token itself. A
 * new token invalidates all earlier cookies.
 */
export const sessionCookie = (request: Headers, token: string, now = Date.now()): string => {
  const expiresAt = now + LIFETIME_S * 1000
  return setCookie(request, `${expiresAt}.${sign(token, expiresAt)}`, LIFETIME_S)
}

/** Returns the Set-Cookie header of a logout. */
export const expiredSessionCookie = (request: Headers): string => setCookie(request, "", 0)

const isValidSession = (value: string, token: string, now: number): boolean => {
  const [expiresAt = "", signature = ""] = value.split(".")
  return (
    /^\d{1,15}$/.test(expiresAt) &&
    Number(expiresAt) > now &&
    isEqualConstantTime(signature, sign(token, Number(expiresAt)))
  )
}

/**
 * Returns true if a request has a valid session cookie for the token. Cookies are parsed one by one because a parent domain can
 * set another one of the same name, which must not hide ours.
 */
export const hasSession = ({ headers }: Headers, token: string, now = Date.now()): boolean =>
  (headers.cookie ?? "").split(";").some((cookie) => isValidSession(parseCookie(cookie)[COOKIE_NAME] ?? "", token, now))

/** Returns true if a request has the token in its Authorization header. */
export const hasBearer = ({ headers }: Headers, token: string): boolean => {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1]
  return given !== undefined && isEqualConstantTime(given.trim(), token)
}
