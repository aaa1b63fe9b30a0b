import { allSchemas, isNode, list, node, operations, parameters, text, walk } from './support/contract.js'

/**
 * `x-branded` maps each value that contains the maker's name to its branded form: the value is one of the schema's, the form has `{brand}`,
 * and the description names the value. A value of several words is marked wherever it is listed.
 * @param {unknown} document
 */
export default function brandedValues(document) {
  const inParameters = operations(document).flatMap((placed) =>
    parameters(document, placed).map(({ value, path }) => ({ schema: node(value['schema']), path: [...path, 'schema'] })),
  )
  /** @type {[schema: import('./support/contract.js').Node, path: import('./support/contract.js').Path][]} */
  const schemas = []
  walk(document, [...allSchemas(document), ...inParameters], (schema, path) => schemas.push([schema, path]))
  const branded = new Set(schemas.flatMap(([schema]) => Object.keys(node(schema['x-branded']))))
  return schemas.flatMap(([schema, path]) => [
    ...unmarked(schema, branded).map((value) => ({ message: `\`${value}\` is marked by \`x-branded\` elsewhere`, path })),
    ...faultsOf(schema).map((message) => ({ message, path: [...path, 'x-branded'] })),
  ])
}

/** @type {(schema: import('./support/contract.js').Node) => unknown[]} */
const valuesOf = (schema) => [...list(schema['enum']), schema['const']]

/** @type {(schema: import('./support/contract.js').Node, branded: Set<string>) => string[]} */
function unmarked(schema, branded) {
  const marked = node(schema['x-branded'])
  return valuesOf(schema)
    .map(text)
    .filter((value) => /[ _]/.test(value) && branded.has(value) && !(value in marked))
}

/** @type {(schema: import('./support/contract.js').Node) => string[]} */
function faultsOf(schema) {
  const forms = schema['x-branded']
  if (forms === undefined) return []
  if (!isNode(forms) || Object.keys(forms).length === 0) return ['`x-branded` maps values to their forms']
  return Object.entries(forms).flatMap(([value, form]) => [
    ...(allows(schema, value) ? [] : [`\`${value}\` is not a value of this schema`]),
    ...(text(form).includes('{brand}') ? [] : [`The form of \`${value}\` needs \`{brand}\``]),
    ...(text(schema['description']).includes(`\`${value}\``) ? [] : [`The description does not name \`${value}\``]),
  ])
}

/** @type {(schema: import('./support/contract.js').Node, value: string) => boolean} */
function allows(schema, value) {
  const pattern = text(schema['pattern'])
  return valuesOf(schema).includes(value) || (pattern !== '' && new RegExp(pattern, 'u').test(value))
}
