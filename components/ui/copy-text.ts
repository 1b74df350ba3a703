import { notify, notifyError } from "./toast-queue.ts"

/** Copies a text and says so. `what` is its name at the start of a sentence. */
export const copyText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notify(`${what} copied`)
  } catch {
    notifyError(`Couldn't copy: this browser blocks clipboard access. Select the ${what.toLowerCase()} and copy it.`)
  }
}
