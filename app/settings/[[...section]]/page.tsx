import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { connection } from "next/server"
import { Settings } from "#components/settings/Settings.tsx"
import { findSettingsSection, SETTINGS_SECTIONS } from "#components/settings/settings-sections.ts"
import { Page } from "#components/shell/Page.tsx"
import { isSignedIn } from "../../signed-in.ts"

type SettingsProps = { params: Promise<{ section?: string[] }> }

export const generateMetadata = async ({ params }: SettingsProps): Promise<Metadata> => {
  const section = findSettingsSection((await params).section)
  return { title: section ? `${SETTINGS_SECTIONS[section]} · Settings` : "Settings" }
}

export default async function SettingsPage({ params }: SettingsProps) {
  await connection()
  const section = findSettingsSection((await params).section)
  if (!section) notFound()
  return (
    <Page signOut={await isSignedIn()}>
      <Settings section={section} />
    </Page>
  )
}
