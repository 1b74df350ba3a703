import { permanentRedirect } from "next/navigation"
import { getPassageHref } from "#components/documents/document-address.ts"

type FormerAddressProps = { params: Promise<{ id: string }>; searchParams: Promise<{ part?: string | string[] }> }

/** The address that documents had before they had pages of their own. */
export default async function FormerDocumentPage({ params, searchParams }: FormerAddressProps) {
  const [{ id }, { part }] = await Promise.all([params, searchParams])
  permanentRedirect(getPassageHref(decodeURIComponent(id), typeof part === "string" ? part : undefined))
}
