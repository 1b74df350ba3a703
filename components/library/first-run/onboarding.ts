import { create } from "zustand"

/** What a person has done or dismissed in this browser. */
type Onboarding = { readonly isMapOpened: boolean; readonly isDismissed: boolean; readonly isReadyShown: boolean }

const KEY = "earmark.onboarding"
const START: Onboarding = { isMapOpened: false, isDismissed: false, isReadyShown: false }

const read = (): Onboarding => {
  try {
    return { ...START, ...(JSON.parse(window.localStorage.getItem(KEY) ?? "{}") as Partial<Onboarding>) }
  } catch {
    return START
  }
}

/** The progress, which is null before it is read: the server does not know it. */
export const useOnboarding = create<{ readonly progress: Onboarding | null }>(() => ({ progress: null }))

/** Reads the stored progress. Returns it. */
export const loadOnboarding = (): Onboarding => {
  const progress = read()
  useOnboarding.setState({ progress })
  return progress
}

export const updateOnboarding = (change: Partial<Onboarding>): void => {
  const progress = { ...read(), ...change }
  useOnboarding.setState({ progress })
  try {
    window.localStorage.setItem(KEY, JSON.stringify(progress))
  } catch {
    // Storage is disabled: the progress lasts until the page is closed.
  }
}
