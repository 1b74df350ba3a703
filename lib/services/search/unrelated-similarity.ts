/** Fewer values do not show what is usual. */
const MIN_VALUES = 20

/** The value below which a share of the ascending values lies. */
const quantile = (ascending: ArrayLike<number>, share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))]!

/** The share of a normal distribution below one standard deviation under its mean. */
const ONE_DEVIATION_BELOW = 0.1587

/**
 * Returns the similarity up to which texts have no more in common with a question than most texts of the library, whatever
 * similarities the embedding model gives to unrelated texts. The lower half of the similarities, which related texts do not
 * change as long as they are fewer than half, gives mean and standard deviation of the unrelated ones; the limit is what the highest of
 * as many normally distributed values would have, √(2·ln n) deviations above the mean. Returns 0 for fewer than 20 texts.
 */
export const estimateUnrelatedSimilarity = (similarities: Float64Array): number => {
  const n = similarities.length
  if (n < MIN_VALUES) return 0
  const ascending = Float64Array.from(similarities).sort()
  const median = quantile(ascending, 0.5)
  const deviation = median - quantile(ascending, ONE_DEVIATION_BELOW)
  return Math.max(0, median + deviation * Math.sqrt(2 * Math.log(n)))
}
