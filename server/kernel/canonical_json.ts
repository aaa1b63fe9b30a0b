/**
 * The canonical text of a JSON value (RFC 8785): members sorted by name in UTF-16 order, no white space, numbers and strings as
 * ECMAScript writes them. It differs from the RFC in one point: a lone surrogate, which JSON bodies may contain, is escaped
 * instead of refused.
 * @param value from `JSON.parse`, nested no deeper than the stack allows
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** Whether two values represent the same JSON, regardless of the order of members. Undefined members count as omitted. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)] as (string | undefined)[]
  if (text === otherText || text === undefined || otherText === undefined) return text === otherText
  return text.length === otherText.length && canonicalJson(JSON.parse(text)) === canonicalJson(JSON.parse(otherText))
}
