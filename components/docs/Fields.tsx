import { describeLimits, type Schema, stripBackticks } from "./document.ts"
import { TypeName } from "./TypeName.tsx"

export type Field = {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
  readonly note?: string
  readonly description?: string
}

/** Returns the fields of an object, required ones first. */
export const listFields = (schema: Schema): Field[] =>
  Object.entries(schema.properties ?? {})
    .map(([name, own]) => ({
      name,
      schema: own,
      required: schema.required?.includes(name) ?? false,
      ...(own.description !== undefined && { description: own.description }),
    }))
    .sort((a, b) => Number(b.required) - Number(a.required))

/** Lists fields with their types and limits. */
export const Fields = ({ caption, fields }: { caption: string; fields: readonly Field[] }) => (
  <dl aria-label={caption} className="grid gap-x-6 border-line border-t sm:grid-cols-[minmax(9rem,14rem)_1fr]">
    {fields.map(({ name, required, schema, note, description }) => (
      <div key={name} className="col-span-full grid grid-cols-subgrid gap-y-0.5 border-line border-b py-2.5">
        <dt className="font-mono text-sm [overflow-wrap:anywhere]">
          {name}
          {required && <span className="ml-2 font-sans text-accent text-xs">required</span>}
        </dt>
        <dd className="text-sm text-soft [overflow-wrap:anywhere]">
          {description !== undefined && <p>{stripBackticks(description)}.</p>}
          <TypeName schema={schema} />
          {[note, describeLimits(schema)].filter(Boolean).map((more) => (
            <span key={more} className="text-muted">
              {" · "}
              {more}
            </span>
          ))}
        </dd>
      </div>
    ))}
  </dl>
)
