import { isApi, operations, parameters, text } from './support/contract.js'

/**
 * Every writing API operation takes `Idempotency-Key`, no reading one does. Options: operations left out.
 * @param {unknown} document
 * @param {{except: string[]}} options
 */
export default function idempotencyKey(document, { except }) {
  return operations(document)
    .filter(isApi)
    .flatMap((placed) => {
      const id = text(placed.operation['operationId'])
      const expected = placed.method !== 'get' && !except.includes(id)
      const found = parameters(document, placed).some(({ value }) => value['name'] === 'Idempotency-Key')
      return found === expected
        ? []
        : [{ message: `${id} ${expected ? 'lacks' : 'must not have'} the header Idempotency-Key`, path: placed.path }]
    })
}
