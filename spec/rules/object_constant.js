import { contents, isApi, node, operations, property, required, text, variants } from './support/contract.js'

/**
 * Every JSON response of a successful API call identifies its kind: `object` is required and a constant. Options: excluded operations.
 * @param {unknown} document
 * @param {{except: string[]}} options
 */
export default function objectConstant(document, { except }) {
  const judged = operations(document).filter((placed) => isApi(placed) && !except.includes(text(placed.operation['operationId'])))
  return judged.flatMap(({ operation, path }) =>
    Object.entries(node(operation['responses']))
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) =>
        contents(document, response, [...path, 'responses', status]).flatMap(([type, media, location]) => {
          if (type !== 'application/json') return []
          const faulty = variants(document, media['schema']).filter((variant) => !declaresKind(document, variant))
          return faulty.length === 0
            ? []
            : [
                {
                  message: `${text(operation['operationId'])} ${status} must respond with a required constant \`object\``,
                  path: location,
                },
              ]
        }),
      ),
  )
}

/** @type {(document: unknown, schema: unknown) => boolean} */
function declaresKind(document, schema) {
  return required(document, schema).has('object') && typeof property(document, schema, 'object')?.['const'] === 'string'
}
