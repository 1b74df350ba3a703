import type { Parameters } from "./parameters.ts"

type Settings = Pick<Parameters, "theme" | "motion">

/** Returns a media query with the chosen settings instead of those of the operating system. */
const override = (query: string, { theme, motion }: Settings): string => {
  const settings: [RegExp, boolean][] = [
    [/\(prefers-color-scheme:\s*dark\)/g, theme === "dark"],
    [/\(prefers-color-scheme:\s*light\)/g, theme === "light"],
  ]
  const themed = theme === "system" ? [] : settings
  const all = motion === "reduce" ? [...themed, [/\(prefers-reduced-motion:\s*reduce\)/g, true] as const] : themed
  return all.reduce(
    (text, [pattern, isTrue]) => text.replace(pattern, isTrue ? "(min-width: 0)" : "(max-width: 0)"),
    query,
  )
}

const overrideRules = (rules: CSSRuleList, settings: Settings): void => {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const wanted = override(rule.media.mediaText, settings)
      if (wanted !== rule.media.mediaText) rule.media.mediaText = wanted
    }
    if ("cssRules" in rule) overrideRules(rule.cssRules as CSSRuleList, settings)
  }
}

/** Makes scripts and style sheets see the chosen theme and motion setting, also in style sheets that are loaded later. */
export const overrideMedia = (settings: Settings): void => {
  if (settings.theme === "system" && settings.motion === "system") return
  const matchMedia = window.matchMedia.bind(window)
  window.matchMedia = (query) => matchMedia(override(query, settings))
  if (settings.theme !== "system") document.documentElement.style.colorScheme = settings.theme
  const update = () => {
    for (const sheet of document.styleSheets) overrideRules(sheet.cssRules, settings)
  }
  update()
  new MutationObserver(update).observe(document.head, { childList: true, characterData: true, subtree: true })
}
