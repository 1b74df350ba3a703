import type { NextConfig } from "next"
import { GROUP_PACKAGES } from "./lib/capabilities/packages.ts"

const config: NextConfig = {
  // Turbopack would inline an optional package, and it would then look present on an install that lacks it.
  serverExternalPackages: [...GROUP_PACKAGES, "pino", "ollama"],
  poweredByHeader: false,
  compress: false,
  devIndicators: false,
}

export default config
