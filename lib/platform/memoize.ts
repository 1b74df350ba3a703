/** Returns a function that creates one value per key. */
export const memoize = <K, V>(create: (key: K) => V): ((key: K) => V) => {
  const created = new Map<K, V>()
  return (key) => {
    const value = created.get(key) ?? create(key)
    created.set(key, value)
    return value
  }
}
