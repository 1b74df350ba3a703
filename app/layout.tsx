import type { Metadata, Viewport } from "next"
import type { ReactNode } from "react"
import { API_VERSION } from "#lib/domain/schemas.ts"
import "./globals.css"
import { originOf } from "./origin.ts"
import { Providers } from "./providers.tsx"

const DESCRIPTION =
  "Turns recordings into a map of what was talked about: topics and subtopics with times, in a 3-D view searchable by meaning."

export const generateMetadata = async (): Promise<Metadata> => ({
  // Addresses of pictures are absolute for whoever shows a preview.
  metadataBase: await originOf(),
  title: { default: "Earmark", template: "%s · Earmark" },
  description: DESCRIPTION,
  applicationName: "Earmark",
  generator: `Earmark ${API_VERSION}`,
  icons: { icon: { url: "/favicon.svg", type: "image/svg+xml" } },
  openGraph: {
    title: "Earmark",
    description: DESCRIPTION,
    type: "website",
    images: [
      { url: "/preview.jpg", width: 1200, height: 630, alt: "A recording in Earmark: its topics on a line of time" },
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
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
