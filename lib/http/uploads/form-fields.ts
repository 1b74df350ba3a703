import { AppError } from "../../domain/errors.ts"
import { type AudioJobRequest, audioJobRequest } from "../../domain/jobs/jobs.ts"
import { isDecimal } from "../../domain/schemas.ts"
import { parseInput } from "../validation.ts"
import { fieldTypes } from "./field-types.ts"

const asJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError("invalid", `${name}: not JSON`, { cause })
  }
}

/** The value that a form's text stands for, by the type that the contract gives the field; unclear text stays text. */
const readText = (name: string, text: string): unknown => {
  const types = fieldTypes(audioJobRequest)[name] ?? []
  if (text === "null" && types.includes("null")) return null
  if (types.includes("string")) return text
  if (types.includes("array")) return asJson(name, text)
  if (types.includes("boolean")) return ({ true: true, false: false } as Record<string, boolean>)[text] ?? text
  return isDecimal(text) ? Number(text) : text
}

/** Fields that may be left empty in a form; an empty language asks for detection, so it is none of them. */
const isUnset = (name: string, text: string): boolean => text === "" && name !== "language"

/**
 * A job request out of the text fields of a form, by the same schema as JSON. The file is the source.
 * @throws AppError `invalid` naming the field
 */
export const parseJobForm = (fields: ReadonlyMap<string, string>, fileName: string): AudioJobRequest => {
  const given = [...fields].filter(([name, text]) => !isUnset(name, text))
  const values = Object.fromEntries(given.map(([name, text]) => [name, readText(name, text)]))
  return parseInput(audioJobRequest, { ...values, source: fileName }, "the form")
}
