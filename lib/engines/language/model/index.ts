export { createModelAnswerer } from "./answerer.ts"
export { createModelSummarizer } from "./summarizer.ts"
export { createModelTopicModel } from "./topic-model.ts"
