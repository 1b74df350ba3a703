import { RecordingNotFound } from "#components/recording/RecordingNotFound.tsx"
import { Header } from "#components/shell/Header.tsx"

export default function NotFound() {
  return (
    <>
      <Header wide />
      <main id="content" className="mx-auto w-full max-w-[104rem] px-4 sm:px-8">
        <RecordingNotFound />
      </main>
    </>
  )
}
