import { lookup } from "node:dns/promises"
import type { LookupFunction } from "node:net"
import { AppError } from "../domain/errors.ts"
import { isAddressAllowed, parseIpLiteral } from "./addresses.ts"

export type Resolved = { readonly address: string; readonly family: number }
export type AddressRules = {
  readonly ports: readonly number[] | "any"
  /** Addresses and ranges that are allowed although they are not public. */
  readonly allowed: readonly string[]
  /** The setting that allows addresses. Default: SERVICE_FETCH_ALLOW. */
  readonly allowSetting?: string
  /** Returns all addresses of a name. Default: the system resolver. */
  readonly resolve?: (name: string) => Promise<readonly Resolved[]>
}

const MAX_URL_CHARS = 4096

const notPublicError = (host: string, { allowSetting = "SERVICE_FETCH_ALLOW" }: AddressRules): AppError =>
  new AppError(
    "forbidden",
    `'${host}' is not a public address. List it in ${allowSetting} if this service may connect to it.`,
  )

const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname)

/**
 * Parses a URL and checks scheme, credentials, port and IP literals.
 * @throws AppError `invalid` for an unsupported URL, `forbidden` for an address that is not public
 */
export const checkAddress = (address: string, rules: AddressRules): URL => {
  const { ports, allowed } = rules
  if (address.length > MAX_URL_CHARS)
    throw new AppError("invalid", `A URL may have at most ${MAX_URL_CHARS} characters.`)
  let url: URL
  try {
    url = new URL(address)
  } catch (cause) {
    throw new AppError("invalid", "Not a valid URL. It should look like https://host/file.", { cause })
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new AppError("invalid", `'${url.protocol}' URLs are not supported. Use http or https.`)
  if (url.username || url.password)
    throw new AppError("invalid", "URLs with a user name or password are not supported.")
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
  if (ports !== "any" && !ports.includes(port))
    throw new AppError("invalid", `Port ${port} is not allowed. SERVICE_FETCH_PORTS lists the allowed ports.`)
  const literal = parseIpLiteral(url.hostname)
  if (
    literal === null
      ? isLocalName(url.hostname) && !isAddressAllowed("127.0.0.1", allowed)
      : !isAddressAllowed(literal, allowed)
  )
    throw notPublicError(url.hostname, rules)
  return url
}

const systemResolve = async (name: string): Promise<Resolved[]> => lookup(name, { all: true, verbatim: true })

/** Resolves a host and checks every address. Throws if any address is not allowed. */
export const resolveAllowed = async (
  url: URL,
  rules: AddressRules,
  signal: AbortSignal,
): Promise<readonly Resolved[]> => {
  const literal = parseIpLiteral(url.hostname)
  if (literal !== null) return [{ address: literal, family: literal.includes(":") ? 6 : 4 }]
  // A system lookup cannot be cancelled, only abandoned.
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  const found = await Promise.race([(rules.resolve ?? systemResolve)(url.hostname), aborted]).catch(
    (cause: unknown) => {
      throw new AppError(
        "unavailable",
        `Couldn't resolve the host '${url.hostname}'. Check the URL, or try again later.`,
        {
          cause,
          retry: "retry",
        },
      )
    },
  )
  if (found.length === 0 || found.some(({ address }) => !isAddressAllowed(address, rules.allowed)))
    throw notPublicError(url.hostname, rules)
  return found
}

/** Returns a lookup function that uses the checked addresses, so that the name is not resolved a second time. */
export const pinnedLookup =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_name, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, [...addresses] as never)
    else callback(null, first!.address, first!.family)
  }
