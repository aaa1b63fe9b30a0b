/**
 * `x-errors` of an operation names a list of responses (`spec/shared/errors/`), which become part of its `responses`. For editors and for
 * Redocly on the command line this is a plugin (`redocly.yaml`); the project's scripts apply it when they read a file.
 */

/** @typedef {{[key: string]: unknown}} Node a map of a file */

const methods = ['get', 'post', 'patch', 'delete', 'put']

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The name of an operation's list.
 * @type {(operation: unknown) => string | undefined}
 */
export function errorList(operation) {
  const errors = isNode(operation) ? operation['x-errors'] : undefined
  return isNode(errors) && typeof errors['$ref'] === 'string' ? errors['$ref'] : undefined
}

/**
 * The operations of a file that name a list.
 * @type {(item: unknown) => Node[]}
 */
export function operationsWithErrors(item) {
  return methods.flatMap((method) => {
    const operation = isNode(item) ? item[method] : undefined
    return isNode(operation) && errorList(operation) !== undefined ? [operation] : []
  })
}

/**
 * Adds the responses of the list to the operation, by reference. Its own responses stay.
 * @type {(operation: Node, list: unknown) => void}
 */
export function addErrorResponses(operation, list) {
  const ref = errorList(operation)
  if (ref === undefined || !isNode(list)) return
  const responses = Object.keys(list).map((status) => [status, { $ref: `${ref}#/${status}` }])
  const own = isNode(operation['responses']) ? operation['responses'] : {}
  operation['responses'] = { ...Object.fromEntries(responses), ...own }
  delete operation['x-errors']
}

/** The part of a Redocly visitor's context that is used here. @typedef {{resolve(ref: Node): {node?: unknown}}} Context */

export default () => ({
  id: 'workspace',
  preprocessors: {
    oas3: {
      'error-responses': () => ({
        /** @type {(operation: Node, context: Context) => void} */
        Operation(operation, { resolve }) {
          const errors = operation['x-errors']
          if (isNode(errors)) addErrorResponses(operation, resolve(errors).node)
        },
      }),
    },
  },
})
