import { create } from "zustand"

type SpeakersDialogState = { readonly open: boolean; readonly speakerId: string | null }

export const useSpeakersDialog = create<SpeakersDialogState>(() => ({ open: false, speakerId: null }))

/** Opens the speakers dialog, optionally with the name of a speaker focused. */
export const openSpeakersDialog = (speaker: string | null = null): void =>
  useSpeakersDialog.setState({ open: true, speakerId: speaker })
export const closeSpeakersDialog = (): void => useSpeakersDialog.setState({ open: false })
