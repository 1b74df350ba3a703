// The layers of lib/, lowest first. A module may import from its own layer and the layers before it.
const LAYERS = [
  "domain",
  "platform",
  "api",
  "map",
  "storage",
  "queue",
  "documents",
  "engines",
  "sources",
  "pipeline",
  "services",
  "mcp",
  "http",
  "sdk",
]

/** The packages that only one folder imports: [package name as a pattern, folder]. */
const PACKAGES_OF = [
  ["@aws-sdk/", "lib/storage/blobs/s3/"],
  ["@opentelemetry/", "lib/platform/telemetry/"],
  ["(drizzle-orm|better-sqlite3|pg)/", "lib/(storage|queue)/|lib/platform/capabilities/"],
  ["amqplib/", "lib/queue/amqp/"],
  ["@modelcontextprotocol/", "lib/mcp/"],
  ["next/", "(lib/http|app|components)/"],
  ["(react|react-dom|@react-three)/", "(app|components)/"],
]

/** Domain modules without zod, which pages may execute; of all others they import types only. */
const LIGHT_DOMAIN =
  "(constants|engine-value|map-columns|partition-point|retry-after|jobs/stage-table|transcript/(apply-word-edits|collect-corrections|editable-words|speaker-labels|word-columns|words-between)|export/(notes|summaries|clip-text|escape-markdown)|topics/flatten-tree|text/(join-spoken|letters|fillers|utterances|format-clock))\\.ts"

/** [rule name, importing path, forbidden path] */
const FORBIDDEN = [
  ...LAYERS.map((layer, i) => [
    `${layer}-imports-lower-layers`,
    `^lib/${layer}/`,
    `^lib/(${LAYERS.slice(i + 1).join("|") || "-"})/`,
  ]),
  ["lib-imports-no-entry-point", "^(lib|components)/", "^(app|worker|client|cli)/"],
  ["client-uses-the-api", "^client/", "^(?!client/|lib/api/)"],
  ["app-is-separate", "^app/", "^(worker|cli)/"],
  ["worker-is-separate", "^worker/", "^(app|components|cli)/"],
  ["cli-is-separate", "^cli/", "^(app|components|worker)/"],
  ["app-calls-services", "^app/", "^lib/(?!http/|mcp/|services/|domain/|api/)"],
  ["components-use-domain-and-client", "^components/", "^lib/(?!domain/|api/)"],
  ["lib-imports-no-component", "^lib/", "^components/"],
  ["api-uses-domain", "^lib/api/", "^lib/platform/"],
  ["map-is-pure", "^lib/map/", "^lib/(?!map/|domain/|platform/package-root)"],
  ["sdk-is-without-http", "^lib/sdk/", "^lib/(http|mcp)/"],
  ["queue-uses-the-database", "^lib/queue/", "^lib/(documents|engines|storage/(?!database/))"],
  ["documents-use-no-storage", "^lib/documents/", "^lib/(storage|queue)/"],
  ["engines-use-no-storage", "^lib/engines/", "^lib/(documents|queue|storage)/"],
  ["stages-use-no-storage", "^lib/pipeline/stages/", "^lib/(storage|queue)/"],
  ["domain-is-pure", "^lib/domain/", "node_modules/(?!zod/|wink-porter2-stemmer/)"],
  ...PACKAGES_OF.map(([name, folder]) => [
    `package-${name.replace(/\W+/g, "-")}`.replace(/-$/, ""),
    `^(?!${folder})(lib|app|components|worker|cli)/`,
    `node_modules/${name}`,
  ]),
]

export default {
  forbidden: [
    ...FORBIDDEN.map(([name, from, to]) => ({
      name,
      severity: "error",
      from: { path: from, pathNot: "\\.test\\.tsx?$|/testing/" },
      to: { path: to },
    })),
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "pages-execute-no-schemas",
      comment: "zod is a third of what a page would weigh. Pages import types from the other modules.",
      severity: "error",
      from: { path: "^components/", pathNot: "\\.test\\.tsx?$" },
      to: {
        path: `^lib/(domain/(?!${LIGHT_DOMAIN})|api/(?!client/)|api/client/(?!(unchecked|errors|routes)\\.ts))`,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "light-modules-import-no-schemas",
      severity: "error",
      from: { path: `^lib/(domain/${LIGHT_DOMAIN}|api/client/(?!index\\.ts).*)$` },
      to: {
        path: `^lib/domain/(?!${LIGHT_DOMAIN})|node_modules/zod|^lib/api/(?!client/)|^lib/api/client/index\\.ts`,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "flat-map-loads-no-webgl",
      comment: "Browsers without WebGL do not load three.js.",
      severity: "error",
      from: { path: "^components/map/flat/" },
      to: { path: "node_modules/(three|@react-three|camera-controls)/", reachable: true },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(worker|client)/dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
}
