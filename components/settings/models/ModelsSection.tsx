"use client"
import { LocalModels } from "./LocalModels.tsx"
import { ModelServers } from "./ModelServers.tsx"

/** All models: those of this machine, then those of the model servers. */
export const ModelsSection = () => (
  <>
    <LocalModels />
    <ModelServers />
  </>
)
