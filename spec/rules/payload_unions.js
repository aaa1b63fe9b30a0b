import { follow, list, node, property, required, text, walk, writtenSchemas } from './support/contract.js'

/**
 * In a union with payload keys, every variant names its key, requires it and is closed; no two share a key; at most one has none. Where
 * `type` is the tag (a constant) in one variant, it is an optional constant in all that have it.
 * @param {unknown} document
 */
export default function payloadUnions(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  walk(document, writtenSchemas(document), (schema, path) => {
    if (schema['x-payload-union'] === true)
      problems.push(...unionFaults(document, list(schema['oneOf'])).map((message) => ({ message, path })))
  })
  return problems
}

/** @type {(document: unknown, union: unknown[]) => string[]} */
function unionFaults(document, union) {
  const keys = union.map((variant) => text(follow(document, variant, []).value['x-payload-key']))
  const tagged = union.some((variant) => property(document, variant, 'type')?.['const'] !== undefined)
  const faults = union.flatMap((variant, index) => [
    ...variantFaults(document, variant, keys[index] ?? ''),
    ...(tagged && keys[index] !== 'type' ? tagFaults(document, variant) : []),
  ])
  if (union.length === 0) faults.push('A payload union needs oneOf')
  if (keys.filter((key) => key === '').length > 1) faults.push('At most one variant may lack x-payload-key')
  const twice = keys.find((key, index) => key !== '' && keys.indexOf(key) !== index)
  if (twice !== undefined) faults.push(`Two variants have the payload key ${twice}`)
  return faults
}

/** @type {(document: unknown, variant: unknown, key: string) => string[]} */
function variantFaults(document, variant, key) {
  const name = text(node(variant)['$ref']).split('/').at(-1)
  if (!name) return ['Every variant of a payload union is a reference']
  const { value } = follow(document, variant, [])
  const closed = value['additionalProperties'] === false || value['unevaluatedProperties'] === false
  return [
    ...(closed ? [] : [`${name} must be closed`]),
    ...(key === '' || property(document, variant, key) !== undefined ? [] : [`${name} lacks its payload key ${key}`]),
    ...(key === '' || required(document, variant).has(key) ? [] : [`${name} must require ${key}`]),
  ]
}

/** @type {(document: unknown, variant: unknown) => string[]} */
function tagFaults(document, variant) {
  const name = text(node(variant)['$ref']).split('/').at(-1)
  const known = property(document, variant, 'type') === undefined || tagValues(document, variant).length > 0
  return [
    ...(known ? [] : [`${name}: type must be a constant`]),
    ...(required(document, variant).has('type') ? [`${name}: type must be optional`] : []),
  ]
}

/** @type {(document: unknown, variant: unknown) => unknown[]} */
function tagValues(document, variant) {
  const { const: constant, enum: values } = property(document, variant, 'type') ?? {}
  return Array.isArray(values) ? values : constant === undefined ? [] : [constant]
}
