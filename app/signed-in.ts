import { cookies } from "next/headers"
import { SESSION_COOKIE } from "#lib/http/auth/session.ts"

/** Returns true if the browser has a session, which it can end. */
export const isSignedIn = async (): Promise<boolean> => (await cookies()).has(SESSION_COOKIE)
