/**
 * The one canonical text of a JSON value (RFC 8785): members by their names in UTF-16 order, no blanks, numbers and texts as
 * ECMAScript writes them. Differs from the RFC in one point: a lone surrogate, which JSON bodies may hold, is written as its
 * escape instead of being refused.
 * @param value as `JSON.parse` makes it, nested no deeper than the stack allows
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
