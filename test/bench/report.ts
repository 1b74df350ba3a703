/** Prints a result as one line of JSON. */
export const printResult = (result: object): void => console.log(JSON.stringify(result))

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** Returns the median, the upper one of an even number of values, or 0 for no values. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
