import { connection } from "next/server"
import { Library } from "#components/library/Library.tsx"
import { Footer } from "#components/shell/Footer.tsx"
import { Header } from "#components/shell/Header.tsx"
import { getHttpDeps } from "#lib/http/container.ts"
import { isLibraryEmpty } from "#lib/services/installation/describe-installation.ts"
import { isSignedIn } from "./signed-in.ts"

type HomeProps = { searchParams: Promise<{ job?: string | string[] }> }

export default async function Home({ searchParams }: HomeProps) {
  // Pages are rendered per request, because their scripts carry the nonce of the response.
  await connection()
  const { job } = await searchParams
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
          <div className="mb-10 grid max-w-3xl gap-4 pt-4 sm:mb-12 sm:pt-8">
            <h1 className="text-3xl font-[640]">Turn recordings into a map of topics</h1>
            <p className="max-w-xl text-lg text-muted">
              Earmark transcribes recordings, finds their topics, and places each topic near related topics from your
              other recordings.
            </p>
          </div>
        ) : (
          <h1 className="sr-only">Library</h1>
        )}
        <Library initialJobId={typeof job === "string" ? job : null} isEmpty={empty} />
      </main>
      <Footer signOut={await isSignedIn()} />
    </>
  )
}
