export {
  chooseModel,
  createModelRegister,
  findModel as findOfferedModel,
  listModels as listOfferedModels,
  type ModelRegister,
} from "./models.ts"
export { type OpenAiServer, resolveBase } from "./server.ts"
export { createOpenAiTransport } from "./transport.ts"
