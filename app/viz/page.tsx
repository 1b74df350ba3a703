import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { Explorer } from "#components/map/Explorer.tsx"
import { getHttpDeps } from "#lib/http/container.ts"

export const metadata: Metadata = { title: "Map" }

/** Exists only where group `rag` does; asked at the request, because the run may lack what the build had. */
export default async function MapPage() {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  return <Explorer />
}
