export { createBuiltinAnswerer } from "./answerer.ts"
export { createBuiltinTopicModel } from "./topic-model.ts"
