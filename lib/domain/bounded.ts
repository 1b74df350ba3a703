import * as z from "zod"

/** Returns the schema of a list whose entries have the JSON schema of `entry`, but are not parsed. */
const unparsedList = (
  entry: z.ZodType,
  { min, max }: { readonly min: number; readonly max: number },
  io: "input" | "output",
) => {
  const { $schema: _, ...items } = z.toJSONSchema(entry, { io })
  const list = z.array(z.unknown())
  return (min > 0 ? list.min(min) : list).max(max).meta({ items })
}

/** Parses one entry. Returns false and reports its first issue if it is invalid. */
const parseEntry = <T extends z.ZodType>(
  entry: T,
  value: unknown,
  key: PropertyKey,
  ctx: z.RefinementCtx,
): { readonly data: z.output<T> } | false => {
  const parsed = entry.safeParse(value)
  if (parsed.success) return parsed
  const { path, ...issue } = parsed.error.issues[0]!
  ctx.addIssue({ ...issue, path: [key, ...path] })
  return false
}

/**
 * Returns the schema of a list of at most `max` entries. Entries are counted before they are parsed, and parsing stops at
 * the first invalid entry. `z.array()` would collect the issues of all entries.
 */
export const boundedList = <T extends z.ZodType>(
  entry: T,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): z.ZodType<z.output<T>[], z.input<T>[]> => {
  const parse = (values: unknown[], ctx: z.RefinementCtx): unknown[] => {
    const list: unknown[] = []
    for (const [i, value] of values.entries()) {
      const parsed = parseEntry(entry, value, i, ctx)
      if (!parsed) return z.NEVER
      list.push(parsed.data)
    }
    return list
  }
  const limits = { min, max }
  const list = unparsedList(entry, limits, "input")
    .transform(parse)
    .pipe(unparsedList(entry, limits, "output"))
  return list as z.ZodType<z.output<T>[], z.input<T>[]>
}

/**
 * Returns the schema of an object with at most `max` entries of any name. Entries are counted before they are parsed.
 * The name `__proto__` is rejected, because `z.record()` would drop it without an error.
 */
export const boundedRecord = <K extends z.core.$ZodRecordKey & z.ZodType, V extends z.ZodType>(
  key: K,
  value: V,
  { max }: { readonly max: number },
) =>
  z.preprocess(
    (given, ctx) => {
      if (typeof given !== "object" || given === null) return given
      if (Object.keys(given).length > max) ctx.addIssue(`must have at most ${max} entries`)
      if (Object.hasOwn(given, "__proto__"))
        ctx.addIssue({ code: "custom", path: ["__proto__"], message: "is reserved" })
      return given
    },
    z.record(key, value),
  ) as z.ZodType<Record<string, z.output<V>>, Record<string, z.input<V>>>
