export { createOllamaAnswerer } from "./answerer.ts"
export { probeOllama } from "./client.ts"
export { createOllamaTopicModel } from "./topic-model.ts"
