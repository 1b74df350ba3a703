"use client"
import { useSyncExternalStore } from "react"
import { isTheme, THEME_COLORS, THEME_COOKIE, type Theme } from "./theme-cookie.ts"

export { THEMES } from "./theme-cookie.ts"

const ONE_YEAR_S = 365 * 24 * 3600

const subscribe = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] })
  return () => observer.disconnect()
}

const readTheme = (): Theme => {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : "system"
}

/** Returns the theme of this browser. During server rendering it is `system`. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme, () => "system")

/** Changes the theme of all pages in this browser. The server reads the cookie, so that pages arrive in their theme. */
export const setTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  const maxAge = theme === "system" ? 0 : ONE_YEAR_S
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some supported browsers
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${maxAge}; samesite=lax`
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content = THEME_COLORS[theme === "system" ? (/dark/.test(meta.media) ? "dark" : "light") : theme]
}
