import { setConsoleFunction } from "three"

const CLOCK_WARNING = "THREE.Clock: This module has been deprecated"

/**
 * Hides a warning that nothing here can act on: React Three Fiber 9 creates a `THREE.Clock` for every canvas, and version 10
 * no longer does (https://github.com/pmndrs/react-three-fiber/issues/3741).
 */
export const hideClockWarning = () =>
  setConsoleFunction((type, message, ...details) => {
    // biome-ignore lint/suspicious/noConsole: passes on what three.js reports.
    if (!message.startsWith(CLOCK_WARNING)) console[type](message, ...details)
  })
