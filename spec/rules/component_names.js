import { node } from './support/contract.js'

const kinds = ['schemas', 'parameters', 'headers', 'responses', 'requestBodies', 'examples']

/**
 * Component names are PascalCase, do not end in a number, and no two components of any kind share one.
 * @param {unknown} document
 */
export default function componentNames(document) {
  const components = node(node(document)['components'])
  /** @type {Map<string, string>} */
  const owners = new Map()
  return kinds.flatMap((kind) =>
    Object.keys(node(components[kind])).flatMap((name) => {
      const path = ['components', kind, name]
      const owner = owners.get(name.toLowerCase())
      owners.set(name.toLowerCase(), kind)
      return [
        ...(/^[A-Z][A-Za-z0-9]*$/.test(name) ? [] : [{ message: `${name} is not PascalCase`, path }]),
        ...(/\d$/.test(name) ? [{ message: `${name} ends in a number`, path }] : []),
        ...(owner === undefined ? [] : [{ message: `${name} is also the name of one of the ${owner}`, path }]),
      ]
    }),
  )
}
