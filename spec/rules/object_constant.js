import { contents, isApi, node, operations, property, required, text, variants } from './support/contract.js'

/**
 * Every JSON body that a successful API call answers with says what it is: `object` is required and a constant.
 * Options: operations left out.
 * @param {unknown} document
 * @param {{except: string[]}} options
 */
export default function objectConstant(document, { except }) {
  const judged = operations(document).filter((placed) => isApi(placed) && !except.includes(text(placed.operation['operationId'])))
  return judged.flatMap(({ operation, path }) =>
    Object.entries(node(operation['responses']))
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) =>
        contents(document, response, [...path, 'responses', status]).flatMap(([type, media, place]) => {
          if (type !== 'application/json') return []
          const faulty = variants(document, media['schema']).filter((variant) => !saysWhatItIs(document, variant))
          return faulty.length === 0
            ? []
            : [
                {
                  message: `${text(operation['operationId'])} ${status} must answer with a required constant \`object\``,
                  path: place,
                },
              ]
        }),
      ),
  )
}

/** @type {(document: unknown, schema: unknown) => boolean} */
function saysWhatItIs(document, schema) {
  return required(document, schema).has('object') && typeof property(document, schema, 'object')?.['const'] === 'string'
}
