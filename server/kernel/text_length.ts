/** The length of all texts in a JSON value together, in UTF-16 units. Counting stops once the maximum is exceeded. */
export function textLength(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let length = 0
  for (const key in value) {
    length += textLength(Reflect.get(value, key), max - length)
    if (length > max) return length
  }
  return length
}
