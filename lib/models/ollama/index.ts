export { createOllamaAnswerer, type OllamaAnswererOptions } from "./answerer.ts"
export { probeOllama } from "./client.ts"
export { createOllamaEmbedder, type OllamaEmbedderOptions } from "./embedder.ts"
export { createOllamaTopicModel, type OllamaTopicOptions } from "./topic-model.ts"
