import type { MapModel } from "./model.ts"

/** Returns the topics of a recording in the order in which they are talked about, or its subtopics if it has fewer than two topics. */
export const listPath = ({ points, groupings }: MapModel, clip: number): number[] => {
  const { ids } = groupings.clip
  const ofLevel = (level: number) =>
    [...ids.keys()]
      .filter((i) => ids[i] === clip && points[i]!.level === level)
      .sort((a, b) => points[a]!.start_s - points[b]!.start_s)
  const topics = ofLevel(2)
  return topics.length > 1 ? topics : ofLevel(3)
}
