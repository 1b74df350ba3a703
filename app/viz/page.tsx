import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { Explorer } from "#components/map/Explorer.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

export const metadata: Metadata = { title: "Map" }

/** Exists only if group `rag` is present. Checked per request, because the packages may differ between build and runtime. */
export default async function MapPage() {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  return <Explorer />
}
