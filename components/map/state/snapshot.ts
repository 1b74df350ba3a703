/** The name of the event that asks the scene for a picture. */
export const SNAPSHOT = "earmark:snapshot"
