import { allSchemas, follow, isNode, list, node, text, walk } from './support/contract.js'

/**
 * A union of objects has a discriminator or payload keys. A union with a partial object (`Partial…`), which is recognized by missing
 * members, needs neither. With a discriminator, every variant is a reference, is mapped from its tag or tags, and has the tag among its own
 * properties, required, with its values as constants.
 * @param {unknown} document
 */
export default function taggedUnions(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  walk(document, allSchemas(document), (schema, path, whole) => {
    const union = list(schema['oneOf'])
    if (!whole || union.length === 0) return
    if (isNode(schema['discriminator'])) problems.push(...taggedProblems(document, schema, union, path))
    else if (schema['x-payload-union'] !== true && !hasPartial(union) && objectVariants(document, union) > 1) {
      problems.push({ message: 'A union of objects needs a discriminator or x-payload-union', path })
    }
  })
  return problems
}

/** @type {(union: unknown[]) => boolean} */
const hasPartial = (union) => union.some((variant) => (text(node(variant)['$ref']).split('/').at(-1) ?? '').startsWith('Partial'))

/** @type {(document: unknown, union: unknown[]) => number} */
function objectVariants(document, union) {
  return union.filter((variant) => {
    const { value } = follow(document, variant, [])
    return value['type'] === 'object' || isNode(value['discriminator']) || value['x-payload-union'] === true
  }).length
}

/** @type {(document: unknown, schema: import('./support/contract.js').Node, union: unknown[], path: import('./support/contract.js').Path) => import('./support/contract.js').Problem[]} */
function taggedProblems(document, schema, union, path) {
  const { propertyName, mapping } = node(schema['discriminator'])
  const tagName = text(propertyName)
  const tags = Object.entries(node(mapping))
  const unknown = tags
    .filter(([, ref]) => !union.some((variant) => node(variant)['$ref'] === ref))
    .map(([tag]) => `The tag ${tag} is mapped to something that is not a variant`)
  const faults = union.flatMap((variant) => variantFaults(document, node(variant), tagName, tags))
  return [...unknown, ...faults].map((message) => ({ message, path }))
}

/** @type {(document: unknown, variant: import('./support/contract.js').Node, tagName: string, tags: [string, unknown][]) => string[]} */
function variantFaults(document, variant, tagName, tags) {
  const ref = text(variant['$ref'])
  if (ref === '') return ['Every variant of a tagged union is a reference']
  const name = ref.split('/').at(-1) ?? ref
  const { value } = follow(document, variant, [])
  const values = constants(follow(document, node(value['properties'])[tagName], []).value)
  const mapped = tags.filter(([, target]) => target === ref).map(([tag]) => tag)
  if (mapped.length === 0) return [`${name} is missing in the mapping`]
  const faults = []
  if (values.length === 0) faults.push(`${name} needs a constant ${tagName} among its own properties`)
  else if (mapped.toSorted().join() !== values.toSorted().join())
    faults.push(`${name} is mapped from ${mapped.join(', ')}, but its ${tagName} is ${values.join(', ')}`)
  if (!list(value['required']).includes(tagName)) faults.push(`${name} must require ${tagName}`)
  return faults
}

/** @type {(schema: import('./support/contract.js').Node) => string[]} */
function constants(schema) {
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']]
  return values.filter((value) => typeof value === 'string')
}
