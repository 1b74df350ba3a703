"use client"
import Link from "next/link"
import { useOffline } from "../api/readiness.ts"
import { OfflineNotice } from "../shell/OfflineNotice.tsx"
import { AppearanceSection } from "./appearance/AppearanceSection.tsx"
import { EnginesSection } from "./engines/EnginesSection.tsx"
import { ModelsSection } from "./models/ModelsSection.tsx"
import { QueueSection } from "./queue/QueueSection.tsx"
import { SETTINGS_SECTIONS, type SettingsSection, settingsPath } from "./settings-sections.ts"
import { SystemSection } from "./system/SystemSection.tsx"
import { TemplatesSection } from "./templates/TemplatesSection.tsx"
import { Tokens } from "./tokens/Tokens.tsx"
import { VocabularySection } from "./vocabulary/VocabularySection.tsx"
import { Webhooks } from "./webhooks/Webhooks.tsx"

const CONTENT: Readonly<Record<SettingsSection, () => React.ReactNode>> = {
  engines: EnginesSection,
  models: ModelsSection,
  vocabulary: VocabularySection,
  templates: TemplatesSection,
  queue: QueueSection,
  system: SystemSection,
  tokens: Tokens,
  webhooks: Webhooks,
  appearance: AppearanceSection,
}

/** The links to the sections: a column beside them, or on a phone a row above that scrolls. */
const SectionNav = ({ current }: { current: SettingsSection }) => (
  <nav
    aria-label="Settings"
    className="-mx-4 overflow-x-auto px-4 sm:-mx-8 sm:px-8 lg:mx-0 lg:overflow-visible lg:px-0"
  >
    <ul className="flex gap-1 lg:sticky lg:top-6 lg:flex-col">
      {(Object.keys(SETTINGS_SECTIONS) as SettingsSection[]).map((section) => (
        <li key={section}>
          <Link
            href={settingsPath(section)}
            prefetch={false}
            aria-current={section === current ? "page" : undefined}
            className="flex h-11 items-center rounded-md px-3 text-sm font-[560] whitespace-nowrap text-muted transition hover:text-ink aria-[current]:bg-accent-wash aria-[current]:text-ink lg:h-9"
          >
            {SETTINGS_SECTIONS[section]}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

/** The settings page: one section at a time. */
export const Settings = ({ section }: { section: SettingsSection }) => {
  const { offline, retry } = useOffline()
  const Content = CONTENT[section]
  return (
    <div className="grid grid-cols-1 gap-6">
      <h1 className="text-2xl font-[640]">Settings</h1>
      {offline && <OfflineNotice onRetry={retry} />}
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10">
        <SectionNav current={section} />
        <div className="grid min-w-0 grid-cols-1 content-start gap-10">
          <Content />
        </div>
      </div>
    </div>
  )
}
