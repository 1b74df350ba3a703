export { formatUrl, fullModelName, probeOllama } from "./client.ts"
export { listPulledModels } from "./models.ts"
export { OLLAMA_MODEL_NAME, pullOllamaModel } from "./pull.ts"
export { createOllamaTransport } from "./transport.ts"
