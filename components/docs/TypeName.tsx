import { Fragment, type ReactNode } from "react"
import { nameOf, type Schema } from "./document.ts"

const joined = (parts: readonly Schema[]): ReactNode =>
  parts.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a type never move
    <Fragment key={i}>
      {i > 0 && " or "}
      <TypeName schema={part} />
    </Fragment>
  ))

/** A schema in a few words; what has a name of its own is a link to it. */
export const TypeName = ({ schema }: { schema: Schema }): ReactNode => {
  if (schema.$ref !== undefined)
    return (
      <a href={`#schema-${nameOf(schema.$ref)}`} className="text-accent underline-offset-2 underline decoration-1">
        {nameOf(schema.$ref)}
      </a>
    )
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return joined(choices)
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
  return schema.format === undefined ? (schema.type ?? "anything") : `${schema.type} (${schema.format})`
}
