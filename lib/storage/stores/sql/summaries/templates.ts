import { and, asc, count, eq, isNotNull, ne } from "drizzle-orm"
import { MAX_TEMPLATES } from "../../../../domain/constants.ts"
import { AppError } from "../../../../domain/errors.ts"
import {
  BUILTIN_TEMPLATES,
  type Template,
  type TemplatePatch,
  type TemplateRequest,
} from "../../../../domain/summary-templates.ts"
import type { summaryTemplates } from "../../../database/schema/index.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { all, get, type Operation, run } from "../statements.ts"

const TEMPLATES_LOCK = "summary templates"

type TemplateRow = typeof summaryTemplates.$inferSelect

/** A template with the version of its prompt. */
export type VersionedTemplate = { readonly template: Template; readonly version: number }

const keyOf = (name: string): string => name.toLowerCase()

const findBuiltin = (id: string) => BUILTIN_TEMPLATES.find((template) => template.id === id)

const toBuiltin = (builtin: (typeof BUILTIN_TEMPLATES)[number], row: TemplateRow | undefined): Template => ({
  ...builtin,
  prompt: null,
  is_own: false,
  needs_model: false,
  after_jobs: row?.afterJobs ?? false,
  created_at: null,
})

const toOwn = ({ id, name, prompt, afterJobs, createdAt }: TemplateRow): Template => ({
  id,
  name,
  kind: "prompt",
  description: "",
  prompt,
  is_own: true,
  needs_model: true,
  after_jobs: afterJobs,
  created_at: new Date(createdAt).toISOString(),
})

/** Reads the templates of Earmark, then own ones by name. */
export function* readTemplates({ db, tables: { summaryTemplates } }: Transaction): Operation<VersionedTemplate[]> {
  const rows = yield* all(db.select().from(summaryTemplates).orderBy(asc(summaryTemplates.key)))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [
    ...BUILTIN_TEMPLATES.map((builtin) => ({ template: toBuiltin(builtin, byId.get(builtin.id)), version: 0 })),
    ...rows
      .filter(({ id }) => findBuiltin(id) === undefined)
      .map((row) => ({ template: toOwn(row), version: row.version })),
  ]
}

export const listTemplates = (database: SqlDatabase): Promise<Template[]> =>
  database.read(function* (tx) {
    return (yield* readTemplates(tx)).map(({ template }) => template)
  })

function* requireFreeName(tx: Transaction, name: string, id: string): Operation<void> {
  const { summaryTemplates: t } = tx.tables
  const isTaken =
    BUILTIN_TEMPLATES.some((builtin) => builtin.id !== id && keyOf(builtin.name) === keyOf(name)) ||
    (yield* get(
      tx.db
        .select({ id: t.id })
        .from(t)
        .where(and(eq(t.key, keyOf(name)), ne(t.id, id))),
    )) !== undefined
  if (isTaken)
    throw new AppError("conflict", `There is a template with the name '${name}' already. Choose another name.`)
}

export const createTemplate = (
  database: SqlDatabase,
  { id, name, prompt, after_jobs: afterJobs }: TemplateRequest & { readonly id: string },
): Promise<Template> =>
  database.write([TEMPLATES_LOCK], function* (tx) {
    const { summaryTemplates: t } = tx.tables
    yield* requireFreeName(tx, name, id)
    const stored = (yield* get(tx.db.select({ n: count() }).from(t).where(isNotNull(t.prompt))))!.n
    if (stored >= MAX_TEMPLATES)
      throw new AppError("conflict", `There are ${stored} templates, the maximum. Delete those that are not used.`)
    const row = { id, name, key: keyOf(name), prompt, afterJobs, createdAt: tx.now, version: 0 }
    yield* run(tx.db.insert(t).values(row))
    return toOwn(row)
  })

export const updateTemplate = (
  database: SqlDatabase,
  id: string,
  { name, prompt, after_jobs: afterJobs }: TemplatePatch,
): Promise<Template | null> =>
  database.write([TEMPLATES_LOCK], function* (tx) {
    const { summaryTemplates: t } = tx.tables
    const builtin = findBuiltin(id)
    if (builtin) {
      if (name !== undefined || prompt !== undefined)
        throw new AppError(
          "invalid",
          `The template '${builtin.name}' belongs to Earmark: only after_jobs can be changed. Create a template of your own instead.`,
        )
      const row = { id, name: builtin.name, key: keyOf(builtin.name), prompt: null, createdAt: tx.now, version: 0 }
      const set = { afterJobs: afterJobs ?? false }
      yield* run(
        tx.db
          .insert(t)
          .values({ ...row, ...set })
          .onConflictDoUpdate({ target: t.id, set }),
      )
      return toBuiltin(builtin, { ...row, ...set })
    }
    const before = yield* get(tx.db.select().from(t).where(eq(t.id, id)))
    if (!before) return null
    if (name !== undefined) yield* requireFreeName(tx, name, id)
    const isChanged = prompt !== undefined && prompt !== before.prompt
    const set = {
      name: name ?? before.name,
      key: keyOf(name ?? before.name),
      prompt: prompt ?? before.prompt,
      afterJobs: afterJobs ?? before.afterJobs,
      version: before.version + (isChanged ? 1 : 0),
    }
    yield* run(tx.db.update(t).set(set).where(eq(t.id, id)))
    return toOwn({ ...before, ...set })
  })

export const deleteTemplate = (database: SqlDatabase, id: string): Promise<boolean> =>
  database.write([TEMPLATES_LOCK], function* ({ db, tables: { summaryTemplates: t } }) {
    const builtin = findBuiltin(id)
    if (builtin)
      throw new AppError("conflict", `The template '${builtin.name}' belongs to Earmark and cannot be deleted.`)
    return (yield* run(db.delete(t).where(eq(t.id, id)))) > 0
  })
