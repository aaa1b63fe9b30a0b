import stringify from 'json-stringify-pretty-compact'

/** JSON as readers see it: what fits on a line stays on it. @param indent the spaces of a level */
export function shownJson(value: unknown, indent = 2): string {
  return stringify(value, { indent, maxLength: 100 })
}
