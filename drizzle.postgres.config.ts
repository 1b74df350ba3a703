import { defineConfig } from "drizzle-kit"

export default defineConfig({
  dialect: "postgresql",
  schema: "./lib/storage/database/postgres/schema.ts",
  out: "./drizzle/postgres",
})
