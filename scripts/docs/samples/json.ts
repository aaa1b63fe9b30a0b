import stringify from 'json-stringify-pretty-compact'

/**
 * JSON for readers: values that fit on one line are not broken.
 * @param indent the spaces of a level
 */
export function shownJson(value: unknown, indent = 2): string {
  return stringify(value, { indent, maxLength: 100 })
}
