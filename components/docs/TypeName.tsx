import { Fragment, type ReactNode } from "react"
import { type Schema, schemaName } from "./document.ts"

const joinWithOr = (parts: readonly Schema[]): ReactNode =>
  parts.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
    <Fragment key={i}>
      {i > 0 && " or "}
      <TypeName schema={part} />
    </Fragment>
  ))

/** Describes a schema in a few words, such as "list of Chunk". Named schemas are links. */
export const TypeName = ({ schema }: { schema: Schema }): ReactNode => {
  if (schema.$ref !== undefined)
    return (
      <a href={`#schema-${schemaName(schema.$ref)}`} className="text-accent underline-offset-2 underline decoration-1">
        {schemaName(schema.$ref)}
      </a>
    )
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return joinWithOr(choices)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ")
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.items)
    return (
      <>
        list of <TypeName schema={schema.items} />
      </>
    )
  if (typeof schema.additionalProperties === "object")
    return (
      <>
        map of <TypeName schema={schema.additionalProperties} />
      </>
    )
  const type = typeof schema.type === "string" ? schema.type : (schema.type?.join(" or ") ?? "anything")
  return schema.format === undefined ? type : `${type} (${schema.format})`
}
