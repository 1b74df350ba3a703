import type { Metadata } from "next"
import { connection } from "next/server"
import { ReceiveShare } from "#components/share/ReceiveShare.tsx"
import { Page } from "#components/shell/Page.tsx"
import { isSignedIn } from "../signed-in.ts"

export const metadata: Metadata = { title: "Add" }

/** Where other apps share recordings and links to. The service worker keeps what they send until this page reads it. */
export default async function SharePage() {
  await connection()
  return (
    <Page signOut={await isSignedIn()}>
      <ReceiveShare />
    </Page>
  )
}
