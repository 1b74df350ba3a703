export const SAMPLE_POINTS: never[] = []
