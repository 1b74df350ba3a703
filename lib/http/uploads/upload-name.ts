const MAX_NAME = 200

// Control characters, and those that turn the direction of what follows (a name must read as it is).
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** The name that a recording is shown under: no folders, nothing invisible, never empty. It is never used as a path. */
export const displayName = (given: string | undefined): string => {
  const last = (given ?? "").split(/[/\\]/).at(-1) ?? ""
  const shown = last.normalize("NFC").replace(HIDDEN, "").trim().slice(0, MAX_NAME)
  return shown === "" || /^\.+$/.test(shown) ? "recording" : shown
}

const ENCODED: Readonly<Record<string, string>> = { "%22": '"', "%0A": "\n", "%0D": "\r" }

/** A file's name in a form as it was before browsers wrote it there: they encode these three characters and no other. */
export const nameInForm = (written: string | undefined): string | undefined =>
  written?.replace(/%(?:22|0A|0D)/gi, (code) => ENCODED[code.toUpperCase()]!)
