"use client"
import { useReadiness } from "../api/client.ts"
import { Notice } from "../ui/Notice.tsx"

/** What mends the parts that are not well; several may want the same. */
export const HealthNotice = () => {
  const { data } = useReadiness()
  const ill = Object.entries(data?.checks ?? {}).flatMap(([name, { state, detail }]) =>
    // Telemetry is for whoever wants it: without it nothing works less well.
    name !== "telemetry" && state !== "ok" && detail ? [detail] : [],
  )
  if (ill.length === 0) return null
  return (
    <Notice tone="plain" title={data?.status === "down" ? "A part is not running" : "It works, and could work better"}>
      <ul className="mt-1 grid gap-1">
        {[...new Set(ill)].map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
    </Notice>
  )
}
