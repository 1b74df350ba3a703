/** What a level of the topic tree is called. */
export const levelName = (level: number): string => ["Whole recording", "Topic", "Subtopic"][level - 1] ?? "Topic"
