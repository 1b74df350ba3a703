/** The sections of the settings page, in order. Each has an address of its own. */
export const SETTINGS_SECTIONS = {
  engines: "Engines",
  models: "Models",
  vocabulary: "Vocabulary",
  templates: "Templates",
  queue: "Queue",
  system: "System",
  tokens: "API tokens",
  webhooks: "Webhooks",
  appearance: "Appearance",
} as const
export type SettingsSection = keyof typeof SETTINGS_SECTIONS

const DEFAULT_SECTION: SettingsSection = "engines"

const isSettingsSection = (name: string): name is SettingsSection => Object.hasOwn(SETTINGS_SECTIONS, name)

/** Returns the section of the path segments after `/settings`, or null if there is none. */
export const findSettingsSection = (path: readonly string[] | undefined): SettingsSection | null => {
  const [name = DEFAULT_SECTION, ...rest] = path ?? []
  return rest.length === 0 && isSettingsSection(name) ? name : null
}

export const settingsPath = (section: SettingsSection): string =>
  section === DEFAULT_SECTION ? "/settings" : `/settings/${section}`
