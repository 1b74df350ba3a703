"use client"
import { useReadiness } from "../api/readiness.ts"
import { Notice } from "../ui/Notice.tsx"

/** Lists what is wrong with the service and how to fix it. Identical instructions appear once. */
export const HealthNotice = () => {
  const { data } = useReadiness()
  const problems = Object.entries(data?.checks ?? {}).flatMap(([name, { state, detail }]) =>
    // Telemetry is optional: nothing else depends on it.
    name !== "telemetry" && state !== "ok" && detail ? [detail] : [],
  )
  if (problems.length === 0) return null
  return (
    <Notice
      tone="plain"
      title={
        data?.status === "down" ? "Part of Earmark isn't running" : "Earmark is running with reduced functionality"
      }
    >
      <ul className="mt-1 grid gap-1">
        {[...new Set(problems)].map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
    </Notice>
  )
}
