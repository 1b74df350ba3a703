import type { Installation } from "#lib/domain/installation.ts"
import { formatCount, formatTimeAgo } from "../../ui/format.ts"
import { Section } from "../Section.tsx"
import { describeStages, findMixedVersions, groupWorkers } from "./worker-pools.ts"

/** The running workers, grouped by host. */
export const Workers = ({ workers }: Pick<Installation, "workers">) => {
  const versions = findMixedVersions(workers)
  return (
    <Section id="workers" title="Workers">
      {workers.length === 0 && (
        <p className="text-sm text-muted">
          No running workers. <code>npx earmark serve</code> starts the service with workers.{" "}
          <code>npx earmark worker</code> starts a worker only.
        </p>
      )}
      {workers.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {groupWorkers(workers).map((pool) => (
            <li
              key={JSON.stringify([pool.host, pool.version, pool.stages])}
              className="grid gap-x-6 py-2.5 sm:grid-cols-[12rem_1fr]"
            >
              <p className="text-sm text-muted [overflow-wrap:anywhere]">{pool.host}</p>
              <p className="numeric">
                <span className="font-[600]">{formatCount(pool.workers, "worker")}</span>
                <span className="block text-sm text-muted">
                  {pool.version && `${pool.version} · `}
                  {describeStages(pool.stages)}
                  {pool.active_at && ` · active ${formatTimeAgo(pool.active_at)}`}
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {versions.length > 0 && (
        <p className="text-sm text-soft">
          {`Versions ${versions.slice(0, -1).join(", ")} and ${versions.at(-1)} are running. This is fine during an upgrade. Upgrade every host to the newest version to finish it.`}
        </p>
      )}
    </Section>
  )
}
