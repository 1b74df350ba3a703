export { createBuiltinAnswerer } from "./answerer.ts"
export { createOutliner } from "./outline-thread.ts"
export { createBuiltinSummarizer } from "./summarizer.ts"
export { createBuiltinTopicModel } from "./topic-model.ts"
