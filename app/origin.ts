import { headers } from "next/headers"

/** Returns the origin that the request was sent to. The service may be reachable under several names. */
export const getRequestOrigin = async (): Promise<URL> => {
  const sent = await headers()
  return new URL(`${sent.get("x-forwarded-proto") ?? "http"}://${sent.get("host") ?? "localhost"}`)
}
