export { isTyping as isWriting } from "../../ui/is-typing.ts"
