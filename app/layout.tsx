import type { Metadata, Viewport } from "next"
import type { ReactNode } from "react"
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

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f6f3ec" },
    { media: "(prefers-color-scheme: dark)", color: "#0c0e11" },
  ],
}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
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
