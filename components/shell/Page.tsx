import type { ReactNode } from "react"
import { Footer } from "./Footer.tsx"
import { Header } from "./Header.tsx"

/** A scrolling page with header and footer. */
export const Page = ({ signOut, children }: { signOut: boolean; children: ReactNode }) => (
  <>
    <Header />
    <main id="content" className="mx-auto w-full max-w-[72rem] px-4 pt-4 pb-16 sm:px-8 sm:pt-6">
      {children}
    </main>
    <Footer signOut={signOut} />
  </>
)
