/**
 * `x-errors` of an operation names a list of answers (`spec/shared/errors/`), which become part of its `responses`. For
 * editors and for Redocly on the command line this is a plugin (`redocly.yaml`); our own scripts do it when they read a file.
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
 * The list that an operation names, as it names it.
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
 * Puts the answers of the list into the operation, by reference; what the operation declares itself stays.
 * @type {(operation: Node, list: unknown) => void}
 */
export function addErrorAnswers(operation, list) {
  const ref = errorList(operation)
  if (ref === undefined || !isNode(list)) return
  const answers = Object.keys(list).map((status) => [status, { $ref: `${ref}#/${status}` }])
  const own = isNode(operation['responses']) ? operation['responses'] : {}
  operation['responses'] = { ...Object.fromEntries(answers), ...own }
  delete operation['x-errors']
}

/** The context of a Redocly visitor, as far as it is used here. @typedef {{resolve(ref: Node): {node?: unknown}}} Context */

/** The plugin. */
export default () => ({
  id: 'workspace',
  preprocessors: {
    oas3: {
      'error-answers': () => ({
        /** @type {(operation: Node, context: Context) => void} */
        Operation(operation, { resolve }) {
          const errors = operation['x-errors']
          if (isNode(errors)) addErrorAnswers(operation, resolve(errors).node)
        },
      }),
    },
  },
})
