import { createInterface } from "node:readline/promises"

/** Asks a person for confirmation. A program is not asked. */
export const confirm = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
