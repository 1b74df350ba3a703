"use client"
import { Segmented } from "../../ui/Segmented.tsx"
import { setTheme, THEMES, useTheme } from "../../ui/theme.ts"
import { Section } from "../Section.tsx"

const LABELS = { system: "System", light: "Light", dark: "Dark" } as const

/** How the pages look in this browser. */
export const AppearanceSection = () => {
  const theme = useTheme()
  return (
    <Section id="appearance" title="Appearance">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-4">
        <div className="min-w-0">
          <p className="font-[560]">Theme</p>
          <p className="text-sm text-muted">System follows the setting of your device. The map follows the theme.</p>
        </div>
        <Segmented
          label="Theme"
          value={theme}
          options={THEMES.map((value) => ({ value, label: LABELS[value] }))}
          onChange={setTheme}
        />
      </div>
    </Section>
  )
}
