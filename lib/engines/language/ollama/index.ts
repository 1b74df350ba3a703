export { createOllamaEmbedder, type OllamaEmbedderOptions } from "../../embedding/ollama.ts"
export { createOllamaAnswerer, type OllamaAnswererOptions } from "./answerer.ts"
export { probeOllama } from "./client.ts"
export { createOllamaTopicModel, type OllamaTopicOptions } from "./topic-model.ts"
