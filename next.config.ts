import type { NextConfig } from "next"
import { GROUP_PACKAGES } from "./lib/platform/capabilities/packages.ts"

const config: NextConfig = {
  // Turbopack would inline an optional package, and it would then look present on an install that lacks it.
  serverExternalPackages: [...GROUP_PACKAGES, "pino", "ollama"],
  // `npm run check` looks at the types of the whole tree; the build need not do it again.
  typescript: { ignoreBuildErrors: true },
  // Nothing of ours is resized on demand; with this the route that would do it answers 404.
  images: { unoptimized: true },
  poweredByHeader: false,
  compress: false,
  devIndicators: false,
}

export default config
