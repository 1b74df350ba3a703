import { EventEmitter } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import { AppError } from "../../domain/errors.ts"
import { createCompressedFileHandler } from "./compressed-files.ts"

export type PageServer = {
  /** Returns true if an undecoded path is that of a page. Next.js would render a page for any method. */
  isPage(path: string): boolean
  /** Returns the page or route that a path belongs to, such as `/jobs/[job_id]`. Returns undefined in development. */
  routeOf(path: string): string | undefined
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Takes over a WebSocket connection, which reloads pages in development. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): Promise<void>
}

/**
 * Returns the configuration of the build as JSON. Without it, Next.js would compile next.config.ts at every start, for
 * which it needs development packages. The standalone output of Next.js passes its configuration in the same way.
 */
const readBuildConfig = (dir: string): string => {
  const file = join(dir, ".next/required-server-files.json")
  if (!existsSync(file) || !existsSync(join(dir, ".next/BUILD_ID")))
    throw new AppError("unavailable", `No build found in ${join(dir, ".next")}. Run "npm run build" first.`)
  return JSON.stringify((JSON.parse(readFileSync(file, "utf8")) as { config: unknown }).config)
}

type Route = { readonly path: string; readonly isPage: boolean; readonly pattern: RegExp }

/** Returns the pages and routes of the build. Fixed paths come before those with parameters. */
const readBuildRoutes = (dir: string): Route[] => {
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

/** Opens Next.js with the pages and routes of the build, or with `dev` those that it compiles on request. */
export const openNextApp = async (options: {
  readonly dir: string
  readonly dev: boolean
  readonly hostname: string
  readonly port: number
}): Promise<PageServer> => {
  if (!options.dev) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = readBuildConfig(options.dir)
  // React and Next.js choose their builds by NODE_ENV when they are loaded. It is typed as read-only.
  Object.assign(process.env, { NODE_ENV: options.dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" })
  const { default: next } = await import("next")
  // Next.js listens for upgrades on its `httpServer`. Giving it an emitter instead lets the guard check them first.
  const upgrades = new EventEmitter()
  const app = next({ ...options, httpServer: upgrades as never })
  await app.prepare()
  const handler = app.getRequestHandler()
  const routes = options.dev ? [] : readBuildRoutes(options.dir)
  const serveCompressed = options.dev ? () => false : createCompressedFileHandler(join(options.dir, ".next/static"))
  return {
    isPage: (path) => routes.some(({ isPage, pattern }) => isPage && pattern.test(path)),
    routeOf: (path) => routes.find(({ pattern }) => pattern.test(path))?.path,
    handle: async (request, response) => {
      if (!serveCompressed(request, response)) await handler(request, response)
    },
    upgrade: (request, socket, head) => {
      if (!upgrades.emit("upgrade", request, socket, head)) socket.destroy()
    },
    close: () => app.close(),
  }
}
