export const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

/** The cookie with the theme of a browser. Without it, pages follow the system. */
export const THEME_COOKIE = "earmark_theme"

/** The color that browsers give their own controls around a page. */
export const THEME_COLORS = { light: "#f6f3ec", dark: "#0c0e11" } as const

export const isTheme = (value: string | undefined): value is Theme => THEMES.some((theme) => theme === value)
