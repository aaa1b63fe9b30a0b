import { isNode, list, text } from './support/contract.js'

/** Keywords allowed beside a reference: they describe the schema without constraining it. */
const annotations = ['$ref', 'description', 'title', 'default', 'deprecated', 'examples', 'readOnly', 'writeOnly', '$comment']

/** Keywords with values instead of schemas. */
const values = ['example', 'examples', 'value', 'default', 'const', 'enum']

/**
 * A reference to a schema has no constraints beside it: types and the forms for client generators would drop them.
 * @param {unknown} document
 */
export default function referenceSiblings(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  /** @type {(value: unknown, path: (string | number)[]) => void} */
  const visit = (value, path) => {
    if (Array.isArray(value)) list(value).forEach((item, index) => visit(item, [...path, index]))
    if (!isNode(value)) return
    if (text(value['$ref']).startsWith('#/components/schemas/'))
      for (const key of Object.keys(value).filter((name) => !annotations.includes(name) && !name.startsWith('x-')))
        problems.push({
          message: `${key} beside $ref is lost in types and clients: put both into an allOf`,
          path: [...path, key],
        })
    const named = path.at(-1) === 'properties' || path.at(-1) === 'patternProperties'
    for (const [key, item] of Object.entries(value)) if (named || !values.includes(key)) visit(item, [...path, key])
  }
  visit(document, [])
  return problems
}
