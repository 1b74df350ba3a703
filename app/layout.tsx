import type { Metadata, Viewport } from "next"
import { cookies } from "next/headers"
import type { ReactNode } from "react"
import { THEME_COLORS, THEME_COOKIE } from "#components/ui/theme-cookie.ts"
import { API_VERSION } from "#lib/domain/schemas.ts"
import "./globals.css"
import { getRequestOrigin } from "./origin.ts"
import { Providers } from "./providers.tsx"

const DESCRIPTION =
  "Turns recordings into a map of what was talked about: topics and subtopics with times, on a 3-D map that you can search by meaning."

export const generateMetadata = async (): Promise<Metadata> => ({
  // Link previews need absolute image URLs.
  metadataBase: await getRequestOrigin(),
  title: { default: "Earmark", template: "%s · Earmark" },
  description: DESCRIPTION,
  applicationName: "Earmark",
  generator: `Earmark ${API_VERSION}`,
  icons: {
    icon: { url: "/favicon.svg", type: "image/svg+xml" },
    apple: { url: "/icons/apple-180.png", sizes: "180x180" },
  },
  appleWebApp: { capable: true, title: "Earmark", statusBarStyle: "default" },
  openGraph: {
    title: "Earmark",
    description: DESCRIPTION,
    type: "website",
    images: [
      { url: "/preview.jpg", width: 1200, height: 630, alt: "A recording in Earmark with its topics on a timeline" },
    ],
  },
  twitter: { card: "summary_large_image" },
})

/** Returns the theme that this browser has chosen, or undefined if pages follow the system. */
const readTheme = async (): Promise<"light" | "dark" | undefined> => {
  const theme = (await cookies()).get(THEME_COOKIE)?.value
  return theme === "light" || theme === "dark" ? theme : undefined
}

export const generateViewport = async (): Promise<Viewport> => {
  const theme = await readTheme()
  return {
    width: "device-width",
    initialScale: 1,
    viewportFit: "cover",
    themeColor: (["light", "dark"] as const).map((scheme) => ({
      media: `(prefers-color-scheme: ${scheme})`,
      color: THEME_COLORS[theme ?? scheme],
    })),
  }
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" data-theme={await readTheme()}>
      <head>
        {/* With the cookie, because an installation with a token answers nothing without it. */}
        <link rel="manifest" href="/manifest.webmanifest" crossOrigin="use-credentials" />
      </head>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
