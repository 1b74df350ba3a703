/** The npm packages of each capability group: optional dependencies that an install may lack. */
export const GROUPS = {
  rag: ["better-sqlite3", "drizzle-orm", "umap-js"],
  broker: ["amqplib"],
  audio: [],
  telemetry: [],
} as const satisfies Record<string, readonly string[]>

export type CapabilityGroup = keyof typeof GROUPS

export const GROUP_PACKAGES: string[] = Object.values(GROUPS).flat()
