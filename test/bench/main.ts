/** npm run bench -- NAME [options]: figures on stdout, one JSON line a run. */
type Bench = { run(args: string[]): Promise<void> }

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  pipeline: () => import("./pipeline.ts"),
  scale: () => import("./scale.ts"),
  speech: () => import("./speech.ts"),
  topics: () => import("./topics.ts"),
  retrieval: () => import("./retrieval.ts"),
  upload: () => import("./upload.ts"),
  vectors: () => import("./vectors.ts"),
  viz: () => import("./viz.ts"),
  web: () => import("./web.ts"),
  "viz-scene": () => import("./viz-scene.ts"),
}

const main = async ([name = "", ...args]: string[]): Promise<void> => {
  const load = BENCHES[name]
  if (load) return (await load()).run(args)
  console.error(`Say which bench to run: ${Object.keys(BENCHES).join(", ")}.`)
  process.exitCode = 2
}

await main(process.argv.slice(2))

export {}
