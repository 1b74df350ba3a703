import { connection } from "next/server"
import type { ClipPage } from "#components/api/clips.ts"
import { Hero } from "#components/library/first-run/Hero.tsx"
import { Library } from "#components/library/Library.tsx"
import {
  type LibraryParams,
  parseLibraryParams,
  ROW_FIELDS,
  toClipsQuery,
} from "#components/library/list/library-params.ts"
import { Footer } from "#components/shell/Footer.tsx"
import { Header } from "#components/shell/Header.tsx"
import { LibraryTabs } from "#components/shell/LibraryTabs.tsx"
import { clipsQuery, listedClip } from "#lib/domain/clips.ts"
import { getHttpDeps } from "#lib/http/container.ts"
import { listClips } from "#lib/services/clips/list-clips.ts"
import { isLibraryEmpty } from "#lib/services/installation/describe-installation.ts"
import { isSignedIn } from "./signed-in.ts"

type HomeProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const toSearchParams = (given: Awaited<HomeProps["searchParams"]>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  )

/** Lists the recordings that the page shows first. Undefined if they cannot be listed; the page then tries it itself. */
const listFirstClips = async (params: LibraryParams): Promise<ClipPage | undefined> => {
  const deps = getHttpDeps()
  try {
    const { clips, ...page } = await listClips(deps, clipsQuery.parse(toClipsQuery(params)), ROW_FIELDS)
    return { ...page, clips: clips.map((clip) => clipRow.parse(clip)) }
  } catch (err) {
    deps.log.error({ err }, "failed to list the recordings for the library page")
    return undefined
  }
}

/** The fields that the page needs. The topics of all recordings would make it several times as long. */
const clipRow = listedClip.pick(
  Object.fromEntries(ROW_FIELDS.map((name) => [name, true])) as Record<(typeof ROW_FIELDS)[number], true>,
)

export default async function Home({ searchParams }: HomeProps) {
  // Pages are rendered per request, because their scripts carry the nonce of the response.
  await connection()
  const search = toSearchParams(await searchParams)
  const params = parseLibraryParams(search)
  // If the database is unavailable, the page still renders and its queries report the error.
  const empty = await isLibraryEmpty(getHttpDeps()).catch((err: unknown) => {
    getHttpDeps().log.error({ err }, "failed to check whether the library is empty")
    return false
  })
  return (
    <>
      <Header />
      <main id="content" className="mx-auto w-full max-w-[72rem] px-4 pt-4 pb-24 sm:px-8 sm:pt-6">
        {empty ? (
          <Hero />
        ) : (
          <>
            <LibraryTabs />
            <h1 className="sr-only">Library</h1>
          </>
        )}
        <Library
          initialJobId={search.get("job")}
          isEmpty={empty}
          initialClips={empty || params.q ? undefined : await listFirstClips(params)}
          initialNow={Date.now()}
        />
      </main>
      <Footer signOut={await isSignedIn()} />
    </>
  )
}
