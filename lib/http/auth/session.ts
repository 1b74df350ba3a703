import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { parseCookie, stringifySetCookie } from "cookie"

export const SESSION_COOKIE = "earmark_session"
export const SESSION_LIFETIME_S = 30 * 24 * 3600
/** The cookie of a session that is stored with its API token. */
const STORED_SESSION = /^s\.([0-9a-z]+)$/

type Headers = Pick<IncomingMessage, "headers">

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Compares two texts in a time that reveals neither where they differ nor how long they are. */
export const isEqualConstantTime = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

const sign = (token: string, expiresAt: number): string =>
  createHmac("sha256", token).update(`earmark session until ${expiresAt}`).digest("base64url")

const setCookie = ({ headers }: Headers, value: string, maxAge: number): string =>
  stringifySetCookie({
    name: SESSION_COOKIE,
    value,
    maxAge,
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    // Browsers send Secure cookies over HTTPS only. A proxy that terminates TLS sets this header.
    secure: headers["x-forwarded-proto"] === "https",
  })

/**
 * Returns the Set-Cookie header of a login with the token of the settings. The cookie holds an expiry time and its signature,
 * not the token itself. A new token invalidates all earlier cookies.
 */
export const sessionCookie = (request: Headers, token: string, now = Date.now()): string => {
  const expiresAt = now + SESSION_LIFETIME_S * 1000
  return setCookie(request, `${expiresAt}.${sign(token, expiresAt)}`, SESSION_LIFETIME_S)
}

/** Returns the Set-Cookie header of a login with an API token. The cookie holds the secret of a stored session. */
export const storedSessionCookie = (request: Headers, secret: string, maxAgeS: number): string =>
  setCookie(request, `s.${secret}`, maxAgeS)

/** Returns the Set-Cookie header of a logout. */
export const expiredSessionCookie = (request: Headers): string => setCookie(request, "", 0)

/**
 * Returns the values of all session cookies. They are parsed one by one because a parent domain can set another one of the
 * same name, which must not hide ours.
 */
const readSessionCookies = ({ headers }: Headers): string[] =>
  (headers.cookie ?? "").split(";").map((cookie) => parseCookie(cookie)[SESSION_COOKIE] ?? "")

/** Returns the secrets of the stored sessions that a request names. */
export const readSessionSecrets = (request: Headers): string[] =>
  readSessionCookies(request).flatMap((value) => STORED_SESSION.exec(value)?.[1] ?? [])

const isValidSession = (value: string, token: string, now: number): boolean => {
  const [expiresAt = "", signature = ""] = value.split(".")
  return (
    /^\d{1,15}$/.test(expiresAt) &&
    Number(expiresAt) > now &&
    isEqualConstantTime(signature, sign(token, Number(expiresAt)))
  )
}

/** Returns true if a request has a valid session cookie for the token of the settings. */
export const hasSession = (request: Headers, token: string, now = Date.now()): boolean =>
  readSessionCookies(request).some((value) => isValidSession(value, token, now))

/** Returns the token in the Authorization header, or undefined if there is none. */
export const readBearerToken = ({ headers }: Headers): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1]?.trim()
