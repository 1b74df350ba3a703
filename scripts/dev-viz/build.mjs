// The map's page without Next: one bundle, one style sheet, one page. Used by `npm run dev:viz`, by its tests and by the bench.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import tailwind from "@tailwindcss/postcss"
import { context } from "esbuild"
import postcss from "postcss"
import { root } from "../setup.mjs"

const here = join(root, "scripts/dev-viz")

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Map on synthetic data</title><link rel="stylesheet" href="/main.css"><link rel="icon" href="data:,"></head>
<body><div id="root"></div><script type="module" src="/main.js"></script></body></html>
`

/** Tailwind's classes, found in the sources by its own scanner. */
const styles = {
  name: "tailwind",
  setup(build) {
    build.onLoad({ filter: /globals\.css$/ }, async ({ path }) => {
      const made = await postcss([tailwind({ base: root })]).process(readFileSync(path, "utf8"), { from: path })
      return { contents: made.css, loader: "css", resolveDir: join(root, "app") }
    })
  },
}

/** What the map loads as its scene is the one whose renders are counted. */
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
    // In the usual build of React a profiler counts nothing.
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
  const built = await context(options(folder, reload))
  if (reload) await built.watch()
  else await built.rebuild()
  const { port: at } = await built.serve({
    servedir: folder,
    host: "127.0.0.1",
    port,
    fallback: join(folder, "index.html"),
  })
  return { url: `http://127.0.0.1:${at}`, stop: () => built.dispose() }
}

/** Serves the page and bundles it anew at each change. @returns its address, and how to end it. */
export const watchStage = (folder, port) => open(folder, port, true)

/** Serves the page as a build would have it, from a port of its own. */
export const serveStage = (folder) => open(folder, 0, false)
