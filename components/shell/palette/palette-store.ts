import { create } from "zustand"

type PaletteState = { readonly open: boolean; readonly query: string }

export const useCommandPalette = create<PaletteState>(() => ({ open: false, query: "" }))

export const PALETTE_INPUT_ID = "palette-field"

/** Opens the palette with an initial query. */
export const openPalette = (query = ""): void => useCommandPalette.setState({ open: true, query })
export const closePalette = (): void => useCommandPalette.setState({ open: false })
