import type { Metadata } from "next"
import { connection } from "next/server"
import type { OpenApi } from "#components/docs/document.ts"
import { Reference } from "#components/docs/Reference.tsx"
import { Footer } from "#components/shell/Footer.tsx"
import { Header } from "#components/shell/Header.tsx"
import { openApiDocument } from "#lib/api/openapi/document.ts"
import { getRequestOrigin } from "../origin.ts"
import { isSignedIn } from "../signed-in.ts"

export const metadata: Metadata = { title: "HTTP API" }

export default async function DocsPage() {
  await connection()
  // The page is shown without signing in only while the service requires no token.
  const hasToken = await isSignedIn()
  return (
    <>
      <Header wide />
      <Reference
        document={openApiDocument() as OpenApi}
        origin={(await getRequestOrigin()).origin}
        hasToken={hasToken}
      />
      <Footer signOut={hasToken} />
    </>
  )
}
