import { capitalize } from "./format.ts"

/** Shows a sentence of the service. What is between backticks, such as a command, is shown as code. */
export const WithCode = ({ children }: { children: string }) =>
  capitalize(children)
    .split("`")
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
    .map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))
