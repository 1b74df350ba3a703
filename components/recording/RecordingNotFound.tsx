import Link from "next/link"

/** Shown where neither a recording nor a job has the ID of the address. */
export const RecordingNotFound = () => (
  <div className="grid max-w-xl gap-4 pt-10">
    <title>Recording not found · Earmark</title>
    <h1 className="text-2xl font-[640]">Recording not found</h1>
    <p className="text-soft">It may have been deleted, or the link may be incomplete.</p>
    <Link href="/" className="w-fit rounded-sm text-accent underline underline-offset-4">
      Go to library
    </Link>
  </div>
)
