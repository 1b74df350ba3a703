import type { ClipList, ClipsQuery } from "../../domain/clips.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"

/** Clips, newest first, a page at a time, without transcript and tree. */
export const listClips = (deps: Deps, query: ClipsQuery): Promise<ClipList> => requireStore(deps).clips.list(query)
