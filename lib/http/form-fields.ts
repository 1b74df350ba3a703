import { z } from "zod"
import { type AudioJobRequest, audioJobRequest } from "../contracts/jobs.ts"
import { AppError } from "../errors.ts"
import { parseInput } from "./validation.ts"

type Shape = { type?: string; anyOf?: readonly Shape[] }

const shapes = (z.toJSONSchema(audioJobRequest, { io: "input" }).properties ?? {}) as Record<string, Shape>

const typesOf = (shape: Shape): string[] =>
  shape.anyOf?.flatMap(typesOf) ?? (shape.type === undefined ? [] : [shape.type])

const asJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError("invalid", `${name}: not JSON`, { cause })
  }
}

/** The value that a form's text stands for, by the type that the contract gives the field; unclear text stays text. */
const readText = (name: string, text: string): unknown => {
  const types = typesOf(shapes[name] ?? {})
  if (text === "null" && types.includes("null")) return null
  if (types.includes("string")) return text
  if (types.includes("array")) return asJson(name, text)
  if (types.includes("boolean")) return ({ true: true, false: false } as Record<string, boolean>)[text] ?? text
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

/** Fields that may be left empty in a form; an empty language asks for detection, so it is none of them. */
const isUnset = (name: string, text: string): boolean => text === "" && name !== "language"

/**
 * A job request out of the text fields of a form, by the same schema as JSON. The file is the source.
 * @throws AppError `invalid` naming the field
 */
export const requestOfForm = (fields: ReadonlyMap<string, string>, fileName: string): AudioJobRequest => {
  const given = [...fields].filter(([name, text]) => !isUnset(name, text))
  const values = Object.fromEntries(given.map(([name, text]) => [name, readText(name, text)]))
  return parseInput(audioJobRequest, { ...values, source: fileName }, "the form")
}
