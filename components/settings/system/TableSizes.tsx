import type { Installation } from "#lib/domain/installation.ts"
import { formatBytes } from "../../ui/format.ts"
import { Section } from "../Section.tsx"

const SHOWN_TABLES = 6

/** The largest tables of the database. Shows nothing before their first measurement. */
export const TableSizes = ({ tables }: Pick<Installation, "tables">) => {
  if (tables.length === 0) return null
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <Section id="database" title="Database size">
      <dl className="numeric divide-y divide-line border-y border-line text-sm">
        {[{ table: "All tables", bytes: total }, ...tables.slice(0, SHOWN_TABLES)].map(({ table, bytes }) => (
          <div key={table} className="flex justify-between gap-6 py-2">
            <dt className="text-muted">{table}</dt>
            <dd>{formatBytes(bytes)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
