import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { cache } from "react"
import { PersonPage } from "#components/people/PersonPage.tsx"
import { Page } from "#components/shell/Page.tsx"
import { getHttpDeps } from "#lib/http/container.ts"
import { isSignedIn } from "../../../signed-in.ts"

type PersonPageProps = { params: Promise<{ id: string }> }

/** Returns the name of a person. Null if nobody has the ID, undefined if that is unknown. */
const findName = cache(async (id: string): Promise<string | null | undefined> => {
  const { store, log } = getHttpDeps()
  if (!store) return undefined
  try {
    return (await store.people.get(id))?.name ?? null
  } catch (err) {
    log.error({ err }, "failed to load the name of a person")
    return undefined
  }
})

const readId = async ({ params }: PersonPageProps): Promise<string> => decodeURIComponent((await params).id)

export const generateMetadata = async (props: PersonPageProps): Promise<Metadata> => {
  await connection()
  const title = (await findName(await readId(props))) ?? "Person"
  return { title, openGraph: { title } }
}

/** Exists only if group `rag` is present, like the people themselves. */
export default async function PersonRoute(props: PersonPageProps) {
  await connection()
  if (getHttpDeps().groups.rag.state !== "present") notFound()
  const id = await readId(props)
  if ((await findName(id)) === null) notFound()
  return (
    <Page signOut={await isSignedIn()}>
      <PersonPage key={id} id={id} />
    </Page>
  )
}
