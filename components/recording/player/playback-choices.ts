import { PLAYBACK_RATES } from "./player.ts"

const KEY = "earmark.playback"

type PlaybackChoices = { readonly rate: number; readonly skipsSilence: boolean }

/** Returns the speed and whether silence is skipped, as last chosen in this browser. */
export const readPlaybackChoices = (): PlaybackChoices => {
  try {
    const stored = JSON.parse(window.localStorage.getItem(KEY) ?? "{}") as Partial<PlaybackChoices>
    const rate = PLAYBACK_RATES.find((known) => known === stored.rate) ?? 1
    return { rate, skipsSilence: stored.skipsSilence === true }
  } catch {
    return { rate: 1, skipsSilence: false }
  }
}

export const storePlaybackChoices = ({ rate, skipsSilence }: PlaybackChoices): void => {
  try {
    window.localStorage.setItem(KEY, JSON.stringify({ rate, skipsSilence }))
  } catch {
    // Storage is disabled: the choices last until the page is closed.
  }
}
