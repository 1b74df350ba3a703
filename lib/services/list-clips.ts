import type { ClipList, ClipsQuery } from "../contracts/clips.ts"
import type { Deps } from "./deps.ts"
import { requireStore } from "./require.ts"

/** Clips, newest first, a page at a time, without transcript and tree. */
export const listClips = (deps: Deps, query: ClipsQuery): Promise<ClipList> => requireStore(deps).listClips(query)
