import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../package-root.ts"
import { GAUGES, HISTOGRAMS } from "./metrics.ts"

const read = (path: string) => readFileSync(join(packageRoot(), path), "utf8")
type Panel = { title: string; targets: { expr: string; legendFormat: string }[] }
const { panels } = JSON.parse(read("ops/grafana/earmark.json")) as { panels: Panel[] }
const rules = [...read("ops/earmark.rules.yml").matchAll(/expr: (.+)/g)].map((m) => m[1]!)
const expressions = [...panels.flatMap((p) => p.targets.map((t) => t.expr)), ...rules]

/** The units that Prometheus appends to the name of a metric that comes as OTLP. */
const SUFFIXES: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes" }
const prometheusName = (name: string, unit: string) => name.replaceAll(".", "_") + (SUFFIXES[unit] ?? "")
const emitted = new Map<string, string>()
for (const [name, { unit }] of Object.entries(GAUGES)) emitted.set(prometheusName(name, unit), name)
for (const [name, { unit }] of Object.entries(HISTOGRAMS))
  for (const part of ["bucket", "sum", "count"]) emitted.set(`${prometheusName(name, unit)}_${part}`, name)

const METRIC = /\b(?:earmark|gen_ai|http)_[a-z_]+(?=[{[)]|\s|$)/g
const metricsOf = (expression: string): string[] =>
  expression
    .replace(/by \([^)]*\)/g, "")
    .replace(/\{[^}]*\}/g, "")
    .match(METRIC) ?? []
const labelsOf = (expression: string): string[] => [
  ...[...expression.matchAll(/by \(([^)]*)\)/g)].flatMap((m) => m[1]!.split(",").map((l) => l.trim())),
  ...[...expression.matchAll(/\{([a-z_]+)[=!~]/g)].map((m) => m[1]!),
]

/** Every name with dots that the code writes as a key. */
const attributes = (folder: string): string[] =>
  readdirSync(folder).flatMap((entry) => {
    const path = join(folder, entry)
    if (statSync(path).isDirectory()) return attributes(path)
    if (!path.endsWith(".ts") || path.endsWith(".test.ts")) return []
    return [...readFileSync(path, "utf8").matchAll(/"([a-z_]+(?:\.[a-z_]+)+)"\]?:/g)].map((m) =>
      m[1]!.replaceAll(".", "_"),
    )
  })

describe("the dashboard and the alerts", () => {
  it("query only metrics that the code sends, by their Prometheus names", () => {
    const unknown = expressions.flatMap(metricsOf).filter((name) => !emitted.has(name))
    expect(unknown).toEqual([])
    expect(expressions.filter((e) => metricsOf(e).length === 0)).toEqual([])
  })

  it("show every metric", () => {
    const shown = new Set(panels.flatMap((p) => p.targets.flatMap((t) => metricsOf(t.expr).map((n) => emitted.get(n)))))
    expect([...Object.keys(GAUGES), ...Object.keys(HISTOGRAMS)].filter((name) => !shown.has(name))).toEqual([])
  })

  it("group by existing attributes", () => {
    const known = new Set([...attributes(join(packageRoot(), "lib")), "le"])
    expect(expressions.flatMap(labelsOf).filter((label) => !known.has(label))).toEqual([])
    for (const { expr, legendFormat } of panels.flatMap((p) => p.targets))
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(labelsOf(expr)).toContain(label)
  })
})
