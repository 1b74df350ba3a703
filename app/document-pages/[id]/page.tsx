import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { cache } from "react"
import { DocumentReader } from "#components/documents/reader/DocumentReader.tsx"
import { Footer } from "#components/shell/Footer.tsx"
import { Header } from "#components/shell/Header.tsx"
import { getHttpDeps } from "#lib/http/container.ts"
import { findDocumentName } from "#lib/services/documents/documents.ts"
import { isSignedIn } from "../../signed-in.ts"

type DocumentPageProps = { params: Promise<{ id: string }> }

/** Returns the name of a document. Null if it does not exist, undefined if that is unknown. */
const findName = cache(async (id: string): Promise<string | null | undefined> => {
  const deps = getHttpDeps()
  try {
    return await findDocumentName(deps, { id })
  } catch (err) {
    deps.log.error({ err }, "failed to load the name of a document")
    return undefined
  }
})

const readId = async ({ params }: DocumentPageProps): Promise<string> => decodeURIComponent((await params).id)

export const generateMetadata = async (props: DocumentPageProps): Promise<Metadata> => {
  await connection()
  const title = (await findName(await readId(props))) ?? "Document"
  return { title, openGraph: { title } }
}

/** The page at `/documents/{id}`. That address also has the document as JSON; see next.config.ts. */
export default async function DocumentPage(props: DocumentPageProps) {
  await connection()
  const id = await readId(props)
  if ((await findName(id)) === null) notFound()
  return (
    <>
      <Header wide />
      <DocumentReader id={id} />
      <Footer signOut={await isSignedIn()} />
    </>
  )
}
