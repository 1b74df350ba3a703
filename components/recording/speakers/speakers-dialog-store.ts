import { create } from "zustand"

type SpeakersDialogState = { readonly open: boolean; readonly speakerId: string | null }

export const useSpeakersDialog = create<SpeakersDialogState>(() => ({ open: false, speakerId: null }))

/** Opens the list of speakers, with the cursor in the name of one of them. */
export const openSpeakersDialog = (speaker: string | null = null): void =>
  useSpeakersDialog.setState({ open: true, speakerId: speaker })
export const closeSpeakersDialog = (): void => useSpeakersDialog.setState({ open: false })
