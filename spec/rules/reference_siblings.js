import { isNode, list, text } from './support/contract.js'

/** What may stand beside a reference: it describes the schema and constrains nothing. */
const annotations = ['$ref', 'description', 'title', 'default', 'deprecated', 'examples', 'readOnly', 'writeOnly', '$comment']

/** What holds values and no schemas. */
const values = ['example', 'examples', 'value', 'default', 'const', 'enum']

/**
 * Beside a reference to a schema stands nothing that constrains: types and the forms for generators of clients would drop it.
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
