const LINK = "rounded-sm underline-offset-4 hover:text-ink hover:underline"

/** The footer of scrolling pages. `signOut` adds a sign-out link, for installations that require a token. */
export const Footer = ({ signOut }: { signOut: boolean }) => (
  <footer className="mx-auto flex w-full max-w-[72rem] gap-6 px-4 pb-24 sm:pb-8 text-muted text-sm sm:px-8">
    <a href="/docs" className={LINK}>
      HTTP API
    </a>
    {signOut && (
      <a href="/login" className={LINK}>
        Sign out
      </a>
    )}
  </footer>
)
