import { type MapState, NONE, toggleGroup, toggleSolo, useMap } from "../state/store.ts"

/**
 * What clicks on the legend do, without waiting whether a second one comes: the second takes back what the first did and
 * leaves the group alone lit, or no longer so.
 */
export const legendClicks = () => {
  let before: (Pick<MapState, "off" | "solo"> & { readonly group: number }) | null = null
  /** @param detail the clicks in a row, as the browser counts them; 0 by keyboard. */
  return (group: number, { shiftKey, detail }: { readonly shiftKey: boolean; readonly detail: number }) => {
    if (shiftKey) return toggleSolo(group)
    if (detail === 2 && before?.group === group) {
      const { off, solo } = before
      useMap.setState({ off, solo: solo === group ? NONE : group })
      return
    }
    const { off, solo } = useMap.getState()
    before = { off, solo, group }
    toggleGroup(group)
  }
}
