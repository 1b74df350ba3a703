const MAX_NAME = 200

// Control characters, and those that turn the direction of what follows (a name must read as it is).
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** The name that a recording is shown under: no folders, nothing invisible, never empty. It is never used as a path. */
export const displayName = (given: string | undefined): string => {
  const last = (given ?? "").split(/[/\\]/).at(-1) ?? ""
  const shown = last.normalize("NFC").replace(HIDDEN, "").trim().slice(0, MAX_NAME)
  return shown === "" || /^\.+$/.test(shown) ? "recording" : shown
}
