import { create } from "zustand"

type PaletteState = { readonly open: boolean; readonly query: string }

export const useCommandPalette = create<PaletteState>(() => ({ open: false, query: "" }))

/** The id of the field that one writes in. */
export const PALETTE_INPUT_ID = "palette-field"

/** Opens the palette, with something written in it already. */
export const openPalette = (query = ""): void => useCommandPalette.setState({ open: true, query })
export const closePalette = (): void => useCommandPalette.setState({ open: false })
