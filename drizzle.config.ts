import { defineConfig } from "drizzle-kit"

export default defineConfig({ dialect: "sqlite", schema: "./lib/storage/database/schema/*.ts", out: "./drizzle" })
