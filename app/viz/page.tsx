import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { preload } from "react-dom"
import { MAP_ADDRESS } from "#components/api/map-fields.ts"
import { Explorer } from "#components/map/Explorer.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

export const metadata: Metadata = { title: "Map" }

/** Exists only if group `rag` is present. Checked per request, because the packages may differ between build and runtime. */
export default async function MapPage() {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  // The browser requests the map while it loads the scripts.
  preload(MAP_ADDRESS, { as: "fetch", crossOrigin: "anonymous" })
  return <Explorer />
}
