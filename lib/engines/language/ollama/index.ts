export { probeOllama } from "./client.ts"
export { createOllamaTransport } from "./transport.ts"
