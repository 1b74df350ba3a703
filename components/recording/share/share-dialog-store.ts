import { create } from "zustand"

type ShareDialogState = { readonly open: boolean; readonly topic: string | null }

export const useShareDialog = create<ShareDialogState>(() => ({ open: false, topic: null }))

/** Opens the share dialog for the recording, or with a topic of it chosen by its number. */
export const openShareDialog = (topic: string | null = null): void => useShareDialog.setState({ open: true, topic })
export const closeShareDialog = (): void => useShareDialog.setState({ open: false })
