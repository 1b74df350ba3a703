"use client"
import { useEffect, useState } from "react"

/** A choice that this browser remembers; the first render has the usual one, as the server's does. */
export const usePersistedChoice = <T extends string>(
  key: string,
  options: readonly T[],
  usual: T,
): [T, (value: T) => void] => {
  const [value, setValue] = useState<T>(usual)
  useEffect(() => {
    try {
      const kept = window.localStorage.getItem(key) as T | null
      if (kept && options.includes(kept)) setValue(kept)
    } catch {
      // A browser that keeps nothing has the usual one each time.
    }
  }, [key, options])
  const keep = (next: T) => {
    setValue(next)
    try {
      window.localStorage.setItem(key, next)
    } catch {
      // As above.
    }
  }
  return [value, keep]
}
