import { operations, text } from './support/contract.js'

/**
 * Operation ids have the form verbNoun. Options: the verbs, and the ids that consist of a single verb.
 * @param {unknown} document
 * @param {{verbs: string[], alone: string[]}} options
 */
export default function operationIds(document, { verbs, alone }) {
  const form = new RegExp(`^(?:${verbs.join('|')})[A-Z][A-Za-z]*$`, 'u')
  return operations(document).flatMap(({ operation, path }) => {
    const id = text(operation['operationId'])
    return form.test(id) || alone.includes(id)
      ? []
      : [{ message: `${id || 'An empty id'} does not begin with a verb of the list`, path }]
  })
}
