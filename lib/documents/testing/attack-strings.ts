import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type AST, RegExpParser } from "@eslint-community/regexpp"
import ts from "typescript"

/** A text that is a prefix, a repeated part and an end that prevents a match. */
export type Attack = { readonly prefix: string; readonly pump: string; readonly from: string }

export const buildAttack = ({ prefix, pump }: Attack, characters: number): string =>
  `${prefix}${pump.repeat(Math.max(1, Math.floor(characters / pump.length)))}~`

type SourcePattern = { readonly pattern: string; readonly flags: string; readonly where: string }

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name))

/** Returns the regular expressions in the source files of these folders, except in tests. */
export const listPatterns = (root: string, folders: readonly string[]): SourcePattern[] =>
  folders
    .flatMap((folder) => listFiles(join(root, folder)))
    .filter((file) => !/\.(test|testsuite)\.ts$|\/testing\//.test(file))
    .flatMap((file) => {
      const found: SourcePattern[] = []
      const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest)
      const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node)) {
          const end = node.text.lastIndexOf("/")
          const [pattern, flags] = [node.text.slice(1, end), node.text.slice(end + 1)]
          found.push({ pattern, flags, where: `${file.slice(root.length + 1)} ${node.text}` })
        }
        ts.forEachChild(node, visit)
      }
      visit(source)
      return found
    })

const CANDIDATES = [...' \n\u00a0\ta1A."<#-,:;|[(“字’/&=>', "x", "é"]
/** Quantifiers with a lower maximum cannot cost much. */
const MIN_REPEATS = 10

/** Returns up to `limit` characters that a set or class matches. */
const sampleSet = (raw: string, flags: string, limit: number): string[] => {
  const set = new RegExp(`^${raw}$`, flags.replace(/[gy]/g, ""))
  return CANDIDATES.filter((c) => set.test(c)).slice(0, limit)
}

/** Returns texts that an element of a pattern matches, at least one. */
const sample = (node: AST.Element, flags: string, limit: number): string[] => {
  switch (node.type) {
    case "Character":
      return [String.fromCodePoint(node.value)]
    case "CharacterSet":
    case "CharacterClass": {
      const found = sampleSet(node.raw, flags, limit)
      return found.length > 0 ? found : [""]
    }
    case "Quantifier":
      return sample(node.element, flags, limit).map((text) => text.repeat(Math.max(1, node.min)))
    case "Group":
    case "CapturingGroup":
      return node.alternatives.slice(0, limit).map((a) => sampleAll(a.elements, flags))
    default:
      return [""]
  }
}

const sampleAll = (elements: readonly AST.Element[], flags: string): string =>
  elements.map((element) => sample(element, flags, 1)[0]!).join("")

/** Returns attacks on each quantifier of a pattern: a run of what it repeats, and a run of the whole pattern up to it. */
export const listAttacks = ({ pattern, flags, where }: SourcePattern): Attack[] => {
  const attacks: Attack[] = []
  const visit = (elements: readonly AST.Element[], before: string): void => {
    let prefix = before
    for (const element of elements) {
      if (element.type === "Quantifier" && element.max >= MIN_REPEATS)
        for (const pump of sample(element.element, flags, 3))
          if (pump) attacks.push({ prefix, pump, from: where }, { prefix: "", pump: prefix + pump, from: where })
      const inner = element.type === "Quantifier" ? element.element : element
      if ("alternatives" in inner) for (const { elements: nested } of inner.alternatives) visit(nested, prefix)
      prefix += sample(element, flags, 1)[0]!
    }
  }
  const parsed = new RegExpParser().parsePattern(pattern, undefined, undefined, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  })
  for (const { elements } of parsed.alternatives) visit(elements, "")
  return attacks
}
