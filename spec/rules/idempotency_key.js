import { isApi, operations, parameters, text } from './support/contract.js'

/**
 * Every API operation that writes accepts `Idempotency-Key`, and no other does. Options: excluded operations.
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
