/** A JSON object of the OpenAPI document. */
export type Json = Record<string, unknown>

/** Returns a reference to a named schema. */
export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
