import { EventEmitter } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import { AppError } from "../../domain/errors.ts"
import { packedFiles } from "./compressed-files.ts"

export type PageServer = {
  /** Whether a path (undecoded, without its query) is a page's; Next would render one for any method. */
  isPage(path: string): boolean
  /** The route that a path belongs to (`/jobs/[job_id]`), of pages and of answers alike; undefined while developing. */
  routeOf(path: string): string | undefined
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Takes a web socket over: reloading while developing. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): Promise<void>
}

/**
 * The configuration that the build was made with. Next's standalone output hands it over in the same way; without it
 * next.config.ts would be compiled at every start, which takes packages that only developers have.
 */
const builtConfig = (dir: string): string => {
  const file = join(dir, ".next/required-server-files.json")
  if (!existsSync(file) || !existsSync(join(dir, ".next/BUILD_ID")))
    throw new AppError("unavailable", `There is no build in ${join(dir, ".next")}: run "npm run build" first.`)
  return JSON.stringify((JSON.parse(readFileSync(file, "utf8")) as { config: unknown }).config)
}

type Route = { readonly path: string; readonly isPage: boolean; readonly pattern: RegExp }

/** The built pages and routes; fixed paths go before those with parameters. While developing they come and go, and none is known. */
const builtRoutes = (dir: string): Route[] => {
  const manifest = JSON.parse(readFileSync(join(dir, ".next/app-path-routes-manifest.json"), "utf8")) as Record<
    string,
    string
  >
  return Object.entries(manifest)
    .filter(([, path]) => !path.startsWith("/_"))
    .sort(([, a], [, b]) => Number(a.includes("[")) - Number(b.includes("[")))
    .map(([file, path]) => ({
      path,
      isPage: file.endsWith("/page"),
      pattern: new RegExp(`^${path.replace(/\[\.\.\.\w+\]/g, ".+").replace(/\[\w+\]/g, "[^/]+")}/?$`),
    }))
}

/** Next, made ready to answer: the built pages and routes, or with `dev` those that are compiled as they change. */
export const openNext = async (options: {
  readonly dir: string
  readonly dev: boolean
  readonly hostname: string
  readonly port: number
}): Promise<PageServer> => {
  if (!options.dev) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = builtConfig(options.dir)
  // React and Next pick their builds by it when they load; it is typed as read-only.
  Object.assign(process.env, { NODE_ENV: options.dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" })
  const { default: next } = await import("next")
  // Next listens for upgrades on the server that it is told of; those have to pass our door first.
  const upgrades = new EventEmitter()
  const app = next({ ...options, httpServer: upgrades as never })
  await app.prepare()
  const handler = app.getRequestHandler()
  const routes = options.dev ? [] : builtRoutes(options.dir)
  const packed = options.dev ? () => false : packedFiles(join(options.dir, ".next/static"))
  return {
    isPage: (path) => routes.some(({ isPage, pattern }) => isPage && pattern.test(path)),
    routeOf: (path) => routes.find(({ pattern }) => pattern.test(path))?.path,
    handle: async (request, response) => {
      if (!packed(request, response)) await handler(request, response)
    },
    upgrade: (request, socket, head) => {
      if (!upgrades.emit("upgrade", request, socket, head)) socket.destroy()
    },
    close: () => app.close(),
  }
}
