import type { NextConfig } from "next"
import { GROUP_PACKAGES } from "./lib/platform/capabilities/packages.ts"

const isDevelopment = process.env.NODE_ENV !== "production"

/** Set by the server for a request that prefers a page to JSON (lib/http/server/page-requests.ts). */
const isPageRequest = [{ type: "header" as const, key: "x-earmark-page", value: "1" }]

const config: NextConfig = {
  rewrites: async () => ({
    beforeFiles: [
      { source: "/documents", has: isPageRequest, destination: "/document-pages" },
      { source: "/documents/:id", has: isPageRequest, destination: "/document-pages/:id" },
    ],
    afterFiles: [],
    fallback: [],
  }),
  // Turbopack would bundle an optional package, which would then seem to be present where it is not installed.
  serverExternalPackages: [...GROUP_PACKAGES, "pino", "ollama"],
  // `npm run check` checks the types of the whole tree.
  typescript: { ignoreBuildErrors: true },
  // No image is resized on demand. This turns off the route that would do it.
  images: { unoptimized: true },
  poweredByHeader: false,
  compress: false,
  devIndicators: false,
  experimental: {
    // Builds start from an empty cache, and writing one takes longer than the build saves.
    turbopackFileSystemCacheForBuild: false,
    // Half of the size of a build would be source maps.
    turbopackSourceMaps: isDevelopment,
    turbopackInputSourceMaps: isDevelopment,
  },
}

export default config
