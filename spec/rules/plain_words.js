import { isNode } from './support/contract.js'
import { unplainWords } from './support/words.js'

/** @typedef {import('./support/contract.js').Problem} Problem */
/** @typedef {import('./support/contract.js').Path} Path */

/**
 * Descriptions and summaries do not contain words of `support/words.js`.
 * @param {unknown} document
 */
export default function plainWords(document) {
  return problemsIn(document, [])
}

/** @type {(value: unknown, path: Path) => Problem[]} */
function problemsIn(value, path) {
  if (!isNode(value) && !Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const location = [...path, Array.isArray(value) ? Number(key) : key]
    if (typeof inner === 'object') return isExample(location) ? [] : problemsIn(inner, location)
    if (typeof inner !== 'string' || (key !== 'description' && key !== 'summary')) return []
    return unplainWords(inner).map(({ message }) => ({ message, path: location }))
  })
}

/** The value of an example: `components.examples.….value`, or `example` of a parameter. @type {(path: Path) => boolean} */
function isExample(path) {
  return (path.at(-1) === 'value' && path.at(-3) === 'examples') || path.at(-1) === 'example'
}
