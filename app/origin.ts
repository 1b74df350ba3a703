import { headers } from "next/headers"

/** Where the reader found this service, which may have many names. */
export const originOf = async (): Promise<URL> => {
  const sent = await headers()
  return new URL(`${sent.get("x-forwarded-proto") ?? "http"}://${sent.get("host") ?? "localhost"}`)
}
