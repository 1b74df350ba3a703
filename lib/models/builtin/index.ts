export { createBuiltinAnswerer } from "./answerer.ts"
export { createBuiltinEmbedder } from "./embedder.ts"
export { createBuiltinTopicModel } from "./topic-model.ts"
