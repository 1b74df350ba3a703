// Draws random mutants, and limits a run of Stryker to them.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { Instrumenter } from "@stryker-mutator/instrumenter"
import { root } from "../setup.mjs"

const quiet = { debug() {}, info() {}, isDebugEnabled: () => false }
const OPTIONS = { plugins: [], ignorers: [], excludedMutations: [], mutator: {} }

/** Returns a text that identifies a mutant in every run. */
export const describeMutant = ({ fileName, location: { start, end }, mutatorName, replacement }) => {
  const file = relative(root, fileName).replace(/^.*sandbox-[^/]*\//, "")
  return `${file}:${start.line}:${start.column}-${end.line}:${end.column} ${mutatorName} ${replacement}`
}

/** Returns descriptions of `count` mutants of files, chosen by the seed. Any prefix of a larger sample is a sample. */
export const drawMutants = async (files, count, seed) => {
  const sources = files.map((name) => {
    const path = join(root, name)
    return { name: path, mutate: true, content: readFileSync(path, "utf8") }
  })
  const { mutants } = await new Instrumenter(quiet).instrument(sources, OPTIONS)
  const order = (mutant) => createHash("sha256").update(`${seed} ${mutant}`).digest("hex")
  const ordered = mutants
    .filter((mutant) => mutant.status !== "Ignored")
    .map(describeMutant)
    .map((mutant) => ({ mutant, key: order(mutant) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  return { total: ordered.length, sample: ordered.slice(0, count).map(({ mutant }) => mutant) }
}
