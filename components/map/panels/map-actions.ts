import { SNAPSHOT } from "../state/snapshot.ts"
import { takeTool, useMap } from "../state/store.ts"

export const toggleLasso = () => takeTool(useMap.getState().tool === "lasso" ? "turn" : "lasso")
/** Asks the scene for a picture. */
export const takePicture = () => window.dispatchEvent(new Event(SNAPSHOT))
