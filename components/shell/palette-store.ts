import { create } from "zustand"

type PaletteState = { readonly open: boolean; readonly query: string }

export const usePalette = create<PaletteState>(() => ({ open: false, query: "" }))

/** Opens the palette, with something written in it already. */
export const openPalette = (query = ""): void => usePalette.setState({ open: true, query })
export const closePalette = (): void => usePalette.setState({ open: false })
