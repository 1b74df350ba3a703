/** Directions of DESIGN: what may import what. A row is [name, from, the folders it may NOT reach]. */
const never = [
  ["nothing-imports-shells", "^(lib|components)/", "^(app|worker|cli)/"],
  ["shells-are-apart", "^app/", "^(worker|cli)/"],
  ["worker-is-apart", "^worker/", "^(app|components|cli)/"],
  ["cli-is-apart", "^cli/", "^(app|components|worker)/"],
  ["app-is-a-thin-shell", "^app/", "^lib/(?!http/|services/|contracts/)"],
  ["components-know-contracts-and-client", "^components/", "^lib/(?!contracts/|client/)"],
  ["lib-without-react", "^lib/", "^components/|node_modules/(react|react-dom|@react-three)/"],
  ["next-only-in-http", "^lib/(?!http/)", "node_modules/next/"],
  ["contracts-are-pure", "^lib/contracts/", "^lib/(?!contracts/)|node_modules/(?!zod/)"],
  ["client-knows-contracts", "^lib/client/", "^lib/(?!client/|contracts/)"],
  ["config-knows-contracts", "^lib/config\\.ts", "^lib/(?!contracts/|errors\\.ts|config(-blobs)?\\.ts)"],
  [
    "db-below-store",
    "^lib/db/",
    "^lib/(?!db/|contracts/|capabilities/|errors\\.ts|config\\.ts|logger\\.ts|ids\\.ts|folder\\.ts)",
  ],
  ["store-below-services", "^lib/store/", "^lib/(services|http|pipeline|models|speech|viz|broker|sdk|openapi)/"],
  ["broker-is-a-port", "^lib/broker/", "^lib/(services|http|pipeline|models|speech|viz|store|sdk|openapi)/"],
  ["blobs-are-a-port", "^lib/blobs/", "^lib/(?!blobs/|errors\\.ts|folder\\.ts|scratch\\.ts|config-blobs\\.ts)"],
  ["s3-packages-behind-the-port", "^(lib/(?!blobs/s3/)|app/|worker/|cli/)", "node_modules/@aws-sdk/"],
  ["models-are-a-port", "^lib/models/", "^lib/(services|http|pipeline|db|speech|viz|store|broker|sdk|openapi)/"],
  ["speech-is-a-port", "^lib/speech/", "^lib/(services|http|pipeline|db|viz|store|broker|models|sdk|openapi)/"],
  [
    "sources-are-a-port",
    "^lib/sources/",
    "^lib/(services|http|pipeline|db|viz|store/(?!types)|broker|models|sdk|openapi)/",
  ],
  ["viz-is-pure", "^lib/viz/", "^lib/(?!viz/|contracts/|errors\\.ts|capabilities/)"],
  ["stages-touch-no-store", "^lib/pipeline/stages/", "^lib/(services|http|db|store|broker|sdk|openapi)/"],
  [
    "telemetry-is-a-port",
    "^lib/telemetry/",
    "^lib/(services/(?!deps)|http|pipeline|db|speech|viz|store|broker|models|sdk|openapi)/",
  ],
  ["telemetry-packages-behind-the-port", "^(lib/(?!telemetry/)|app/|worker/|cli/)", "node_modules/@opentelemetry/"],
  ["topics-are-pure", "^lib/topics/", "^lib/(?!topics/|contracts/|errors\\.ts)|node_modules/"],
  ["export-is-pure", "^lib/export/", "^lib/(?!export/|contracts/|text/)|node_modules/"],
  ["services-below-http", "^lib/services/", "^lib/(http|sdk|openapi)/"],
  ["sdk-below-cli", "^lib/sdk/", "^lib/(http|openapi)/"],
]

export default {
  forbidden: [
    ...never.map(([name, from, to]) => ({
      name,
      severity: "error",
      from: { path: from, pathNot: "\\.test\\.tsx?$" },
      to: { path: to },
    })),
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    // The schema library is a third of what a page would weigh: of contracts and client, pages run only what has none of it.
    {
      name: "pages-without-schemas",
      severity: "error",
      from: { path: "^components/", pathNot: "\\.test\\.tsx?$" },
      to: {
        path: "^lib/(contracts/(?!(names|apply-edits|flatten-tree|partition-point)\\.ts)|client/(?!(trusting|errors)\\.ts))",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "light-contracts",
      severity: "error",
      from: {
        path: "^lib/(contracts/(names|apply-edits|flatten-tree|partition-point)|client/(?!(index|checked)\\.ts).*)\\.ts$",
      },
      to: {
        path: "^lib/contracts/(?!(names|apply-edits|flatten-tree|partition-point)\\.ts)|node_modules/zod|^lib/client/checked\\.ts",
        dependencyTypesNot: ["type-only"],
      },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
}
