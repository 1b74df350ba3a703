"use client"
import { useEffect } from "react"
import { create } from "zustand"

/** Keys that do the same, such as ["Space", "K"], and what they do. */
export type KeyHint = { readonly keys: readonly string[]; readonly action: string }

type KeysState = { readonly isOpen: boolean; readonly groups: ReadonlyMap<string, readonly KeyHint[]> }

/** The keyboard shortcuts of the open page, by heading, and whether their dialog is open. */
export const useKeys = create<KeysState>(() => ({ isOpen: false, groups: new Map() }))

export const openKeys = (): void => useKeys.setState({ isOpen: true })
export const closeKeys = (): void => useKeys.setState({ isOpen: false })

/** Lists shortcuts in the dialog that `?` opens while the component is mounted. Pass a constant list. */
export const useKeyHints = (heading: string, hints: readonly KeyHint[]): void => {
  useEffect(() => {
    useKeys.setState(({ groups }) => ({ groups: new Map(groups).set(heading, hints) }))
    return () =>
      useKeys.setState(({ groups }) => {
        const rest = new Map(groups)
        if (rest.get(heading) === hints) rest.delete(heading)
        return { groups: rest }
      })
  }, [heading, hints])
}
