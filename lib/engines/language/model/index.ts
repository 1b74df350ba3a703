export { createModelAnswerer } from "./answerer.ts"
export { createModelTopicModel } from "./topic-model.ts"
