export { isWriting } from "../../ui/writing.ts"
