/** `npm run bench -- NAME [options]` runs a bench. It prints one line of JSON per result. */
type Bench = { run(args: string[]): Promise<void> }

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  embedding: () => import("./embedding/main.ts"),
  people: () => import("./people/main.ts"),
  pipeline: () => import("./pipeline/main.ts"),
  scale: () => import("./scale/main.ts"),
  speech: () => import("./speech/main.ts"),
  topics: () => import("./topics/main.ts"),
  retrieval: () => import("./retrieval/main.ts"),
  retention: () => import("./retention/main.ts"),
  upload: () => import("./web/upload.ts"),
  vectors: () => import("./retrieval/vectors.ts"),
  viz: () => import("./viz/main.ts"),
  web: () => import("./web/main.ts"),
  "viz-interactions": () => import("./viz/interactions.ts"),
  "viz-scene": () => import("./viz/scene.ts"),
}

const main = async ([name = "", ...args]: string[]): Promise<void> => {
  const load = BENCHES[name]
  if (load) return (await load()).run(args)
  console.error(`There is no bench '${name}'. Use one of: ${Object.keys(BENCHES).join(", ")}.`)
  process.exitCode = 2
}

await main(process.argv.slice(2))

export {}
