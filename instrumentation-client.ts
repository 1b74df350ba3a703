import { config } from "zod/v4/core"

// Runs before any page code. zod would otherwise try `new Function`, which the content security policy forbids and reports.
config({ jitless: true })
