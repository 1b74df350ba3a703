import { connection } from "next/server"
import { Library } from "#components/library/Library.tsx"
import { Footer } from "#components/ui/Footer.tsx"
import { Header } from "#components/shell/Header.tsx"
import { deps } from "#lib/http/container.ts"

type HomeProps = { searchParams: Promise<{ job?: string | string[] }> }

export default async function Home({ searchParams }: HomeProps) {
  // Every page is rendered at the request: its scripts carry the nonce of that very answer.
  await connection()
  const { job } = await searchParams
  return (
    <>
      <Header />
      <main className="mx-auto w-full max-w-[68rem] px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
        <div className="mb-10 grid max-w-3xl gap-4 sm:mb-12">
          <h1 className="text-3xl font-[640]">Hear what was said. See what it was about.</h1>
          <p className="max-w-xl text-lg text-muted">
            Earmark listens to a recording, finds its topics and their times, and sets each beside its kin from all your
            other recordings.
          </p>
        </div>
        <Library opened={typeof job === "string" ? job : null} />
      </main>
      <Footer signOut={deps().config.http.token !== undefined} />
    </>
  )
}
