export { createBuiltinEmbedder } from "../../embedding/builtin.ts"
export { createBuiltinAnswerer } from "./answerer.ts"
export { createBuiltinTopicModel } from "./topic-model.ts"
