import { create } from "zustand"

type PaletteState = { readonly open: boolean; readonly query: string }

export const usePalette = create<PaletteState>(() => ({ open: false, query: "" }))

/** The id of the field that one writes in. */
export const PALETTE_FIELD = "palette-field"

/** Opens the palette, with something written in it already. */
export const openPalette = (query = ""): void => usePalette.setState({ open: true, query })
export const closePalette = (): void => usePalette.setState({ open: false })
