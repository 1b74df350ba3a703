"use client"
import { useEffect, useState } from "react"

/** Keeps a choice in local storage. The first render uses the default, like the server's. */
export const usePersistedChoice = <T extends string>(
  key: string,
  options: readonly T[],
  defaultValue: T,
): [T, (value: T) => void] => {
  const [value, setValue] = useState<T>(defaultValue)
  useEffect(() => {
    try {
      const stored = window.localStorage.getItem(key) as T | null
      if (stored && options.includes(stored)) setValue(stored)
    } catch {
      // Storage is disabled: the choice lasts until the page is closed.
    }
  }, [key, options])
  const choose = (next: T) => {
    setValue(next)
    try {
      window.localStorage.setItem(key, next)
    } catch {
      // See above.
    }
  }
  return [value, choose]
}
