export { createBuiltinAnswerer } from "./answerer.ts"
export { createOutliner } from "./outline-thread.ts"
export { createBuiltinTopicModel } from "./topic-model.ts"
