"use client"
import { useReadiness } from "../api.ts"
import { Notice } from "../ui/Notice.tsx"

/** The parts that are not well, each with the sentence that mends it. */
export const PartsNotice = () => {
  const { data } = useReadiness()
  const ill = Object.entries(data?.checks ?? {}).filter(
    // Telemetry is for whoever wants it: without it nothing works less well.
    ([name, c]) => name !== "telemetry" && c.state !== "ok" && c.detail,
  )
  if (ill.length === 0) return null
  return (
    <Notice tone="plain" title={data?.status === "down" ? "A part is not running" : "It works, and could work better"}>
      <ul className="mt-1 grid gap-1">
        {ill.map(([name, c]) => (
          <li key={name}>{c.detail}</li>
        ))}
      </ul>
    </Notice>
  )
}
