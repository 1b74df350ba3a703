import type { ExportFormat } from "../../domain/clips.ts"
import { type ExportedFile, exportClip as write } from "../../domain/export/index.ts"
import type { Deps } from "../deps.ts"
import { type ClipRef, getClip } from "./get-clip.ts"

/** A clip as a file for other programs. @throws AppError `not_found` */
export const exportClip = async (deps: Deps, ref: ClipRef, format: ExportFormat): Promise<ExportedFile> =>
  write(await getClip(deps, ref), format)
