import { create } from "zustand"

type VoicesState = { readonly open: boolean; readonly voice: string | null }

export const useVoicesDialog = create<VoicesState>(() => ({ open: false, voice: null }))

/** Opens the list of speakers, with the cursor in the name of one of them. */
export const openVoices = (voice: string | null = null): void => useVoicesDialog.setState({ open: true, voice })
export const closeVoices = (): void => useVoicesDialog.setState({ open: false })
