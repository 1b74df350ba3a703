import { type MapState, NONE, toggleGroup, toggleSolo, useMap } from "../state/store.ts"

/**
 * Creates the click handler of the legend. A click toggles a group immediately. The second click of a double-click
 * reverts that and toggles solo instead. `detail` is the click count of the event; it is 0 for the keyboard.
 */
export const createLegendClickHandler = () => {
  let before: (Pick<MapState, "dimmedGroups" | "soloGroup"> & { readonly group: number }) | null = null
  return (group: number, { shiftKey, detail }: { readonly shiftKey: boolean; readonly detail: number }) => {
    if (shiftKey) return toggleSolo(group)
    if (detail === 2 && before?.group === group) {
      const { dimmedGroups, soloGroup } = before
      useMap.setState({ dimmedGroups, soloGroup: soloGroup === group ? NONE : group })
      return
    }
    const { dimmedGroups, soloGroup } = useMap.getState()
    before = { dimmedGroups, soloGroup, group }
    toggleGroup(group)
  }
}
