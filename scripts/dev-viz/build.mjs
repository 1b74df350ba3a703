// Bundles and serves the map page without Next.js. Used by `npm run dev:viz`, test/e2e/map-scene.test.ts and the bench.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import tailwind from "@tailwindcss/postcss"
import { context } from "esbuild"
import postcss from "postcss"
import { root } from "../setup.mjs"

const here = join(root, "scripts/dev-viz")

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, INITIAL_STATE-scale=1">
<title>Map on synthetic data</title><link rel="stylesheet" href="/main.css"><link rel="icon" href="data:,"></head>
<body><div id="root"></div><script type="module" src="/main.js"></script></body></html>
`

/** Processes the style sheet with Tailwind, which scans the sources for classes. */
const styles = {
  name: "tailwind",
  setup(build) {
    build.onLoad({ filter: /globals\.css$/ }, async ({ path }) => {
      const result = await postcss([tailwind({ base: root })]).process(readFileSync(path, "utf8"), { from: path })
      return { contents: result.css, loader: "css", resolveDir: join(root, "app") }
    })
  },
}

/** Replaces the scene that the map imports by the one that counts its renders. */
const countedScene = {
  name: "counted-scene",
  setup(build) {
    build.onResolve({ filter: /\/scene\/Scene\.tsx$/ }, ({ importer }) =>
      importer.endsWith("/components/map/Explorer.tsx") ? { path: join(here, "CountedScene.tsx") } : undefined,
    )
  },
}

const options = (folder, reload) => ({
  entryPoints: [join(here, "main.tsx")],
  outfile: join(folder, "main.js"),
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  jsx: "automatic",
  target: "es2022",
  minify: !reload,
  sourcemap: reload ? "inline" : false,
  logLevel: "warning",
  loader: { ".woff2": "file" },
  alias: {
    // Profiler callbacks run only in the profiling build of React.
    "react-dom/client": "react-dom/profiling",
    "next/link": join(here, "next-link.tsx"),
    "next/navigation": join(here, "next-navigation.ts"),
  },
  define: { "process.env.NODE_ENV": reload ? '"development"' : '"production"' },
  banner: reload ? { js: `new EventSource("/esbuild").addEventListener("change", () => location.reload());` } : {},
  plugins: [styles, countedScene],
})

const open = async (folder, port, reload) => {
  writeFileSync(join(folder, "index.html"), PAGE)
  const bundler = await context(options(folder, reload))
  if (reload) await bundler.watch()
  else await bundler.rebuild()
  const { port: at } = await bundler.serve({
    servedir: folder,
    host: "127.0.0.1",
    port,
    fallback: join(folder, "index.html"),
  })
  return { url: `http://127.0.0.1:${at}`, stop: () => bundler.dispose() }
}

/** Serves the page and bundles it again after each change. @returns its URL and a function that stops the server */
export const watchMapPage = (folder, port) => open(folder, port, true)

/** Serves a production bundle on a free port. */
export const serveMapPage = (folder) => open(folder, 0, false)
