/** Returns a speaking time in minutes, such as `12 min`. */
export const formatMinutes = (seconds: number): string =>
  seconds > 0 && seconds < 30 ? "< 1 min" : `${Math.round(seconds / 60).toLocaleString("en")} min`

/** Returns the address of a person's page. */
export const getPersonHref = (id: string): string => `/library/people/${encodeURIComponent(id)}`
