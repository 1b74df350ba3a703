// Serves the map page with Vite, without Next.js. Used by `npm run dev:viz`, the browser tests of the map and the bench.
import { createReadStream, existsSync } from "node:fs"
import { basename, join } from "node:path"
import tailwind from "@tailwindcss/postcss"
import react from "@vitejs/plugin-react"
import { build, createServer, preview } from "vite"
import { root } from "../setup.mjs"
import { shaderErrors } from "./shader-errors.mjs"

const here = join(root, "scripts/dev-viz")

/** Replaces the scenes that the map imports by those that can be inspected and tuned. */
const inspectedScene = {
  name: "inspected-scene",
  enforce: "pre",
  resolveId: (source, importer) =>
    /\/(scene\/Scene|flat\/FlatScene)\.tsx$/.test(source) &&
    importer?.split("?")[0].endsWith("/components/map/Explorer.tsx")
      ? join(here, "InspectedScene.tsx")
      : null,
}

const serveMapAsset = ({ url }, response, next) => {
  const path = join(root, "lib/map/assets", basename(url))
  if (!existsSync(path)) return next()
  response.setHeader("content-type", "image/webp")
  createReadStream(path).pipe(response)
}

/** Serves the pictures of the empty map, as the service does. */
const mapAssets = {
  name: "map-assets",
  configureServer({ middlewares }) {
    middlewares.use("/viz-assets", serveMapAsset)
  },
  configurePreviewServer({ middlewares }) {
    middlewares.use("/viz-assets", serveMapAsset)
  },
}

const replacements = {
  "next/link": join(here, "next-link.tsx"),
  "next/navigation": join(here, "next-navigation.ts"),
}
const configure = (options) => ({
  root: here,
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  cacheDir: join(root, "node_modules/.vite/dev-viz"),
  css: { postcss: { plugins: [tailwind({ base: root, optimize: false })] } },
  plugins: [inspectedScene, mapAssets, shaderErrors(join(root, "components/map/scene/shaders.ts")), react()],
  ...options,
})

const stopper = (server) => ({ stop: () => server.close() })
const urlOf = ({ httpServer }) => `http://127.0.0.1:${httpServer.address().port}`

/**
 * Serves the page with hot reload. Errors of the build and of shaders are shown on the page.
 *
 * @param port 0 for a free one
 * @throws if the port is in use
 */
export const watchMapPage = async (port) => {
  const server = await createServer(
    configure({
      resolve: { alias: replacements },
      server: { host: "127.0.0.1", port, strictPort: port !== 0, fs: { allow: [root] } },
    }),
  )
  await server.listen()
  return { url: urlOf(server), ...stopper(server) }
}

/** Builds the page for production into `folder`. */
const buildForProduction = async (folder) => {
  // Vite would build for the environment of the caller, which is "test" in a test.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = "production"
  try {
    await build(
      configure({
        // Profiler callbacks run only in the profiling build of React.
        resolve: { alias: { ...replacements, "react-dom/client": "react-dom/profiling" } },
        build: {
          outDir: folder,
          emptyOutDir: true,
          target: "es2022",
          chunkSizeWarningLimit: 10_000,
          rolldownOptions: { checks: { pluginTimings: false } },
        },
      }),
    )
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
  }
}

/** Builds the page for production into `folder` and serves it on a free port. */
export const serveMapPage = async (folder) => {
  await buildForProduction(folder)
  const server = await preview(configure({ build: { outDir: folder }, preview: { host: "127.0.0.1", port: 0 } }))
  return { url: urlOf(server), ...stopper(server) }
}
