// Like the main module, but each response is validated with zod.
export * from "../lib/api/client/index.ts"
