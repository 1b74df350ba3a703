// Runs before any page code. zod would otherwise try `new Function`, which the content security policy forbids and reports.
// Its settings lie at the global object (zod/v4/core/core.js); setting them there needs no line of zod on a page without it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
