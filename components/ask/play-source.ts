import { client, errorMessage } from "../api/client.ts"
import { mayHavePicture, playInDock } from "../recording/player/player.ts"
import { notifyError } from "../ui/toast-queue.ts"

/** Plays a recording from a second while the page stays. */
export const playSource = async (clipId: string, from_s: number): Promise<void> => {
  try {
    const clip = await client.clip(clipId, { fields: ["title", "duration_s", "file_path", "topics"] })
    if (clip.file_path === null) {
      notifyError(`“${clip.title}” has only a transcript, so it can't be played.`)
      return
    }
    playInDock(
      {
        id: clipId,
        title: clip.title,
        duration_s: clip.duration_s,
        hasAudio: true,
        mayHavePicture: mayHavePicture(clip.file_path),
        topicStarts: clip.topics.filter(({ level }) => level === 2).map(({ start_s }) => start_s),
        silences: [],
      },
      from_s,
    )
  } catch (error) {
    notifyError(errorMessage(error))
  }
}
