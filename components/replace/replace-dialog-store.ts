import { create } from "zustand"

type ReplaceDialogState = { readonly open: boolean; readonly find: string }

export const useReplaceDialog = create<ReplaceDialogState>(() => ({ open: false, find: "" }))

/** Opens the dialog that finds and replaces words, with the text to find. */
export const openReplaceDialog = (find = ""): void => useReplaceDialog.setState({ open: true, find })
export const closeReplaceDialog = (): void => useReplaceDialog.setState({ open: false })
