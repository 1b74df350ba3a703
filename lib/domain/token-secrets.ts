import { randomBytes } from "node:crypto"
import { sha256 } from "./ids.ts"

const ID_CHARACTERS = 8
/** 256 bits in base 36. */
const SECRET_CHARACTERS = 50
const TOKEN = new RegExp(`^earmark_([0-9a-z]{${ID_CHARACTERS}})_[0-9a-z]{${SECRET_CHARACTERS}}$`)

/** Returns random bytes as letters and digits, so that a double click selects all of them. */
const randomText = (bytes: number, characters: number): string =>
  BigInt(`0x${randomBytes(bytes).toString("hex")}`)
    .toString(36)
    .padStart(characters, "0")
    .slice(-characters)

/** Returns 256 random bits as text. */
export const randomSecret = (): string => randomText(32, SECRET_CHARACTERS)

/** Returns a new token, its visible ID and the hash to store. */
export const newApiToken = (): { id: string; token: string; hash: string } => {
  const id = randomText(16, ID_CHARACTERS)
  const token = `earmark_${id}_${randomSecret()}`
  return { id, token, hash: sha256(token) }
}

/** Returns the ID in a token, or null if the text is not in the form of an API token. */
export const tokenIdOf = (text: string): string | null => TOKEN.exec(text)?.[1] ?? null
