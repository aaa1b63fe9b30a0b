import { isApi, operations, parameters, text } from './support/contract.js'

const expected = ['Service-Version', 'Service-Beta']

/**
 * Every API operation accepts the version header and the beta header.
 * @param {unknown} document
 */
export default function commonHeaders(document) {
  return operations(document)
    .filter(isApi)
    .flatMap((placed) => {
      const headers = parameters(document, placed)
        .filter(({ value }) => value['in'] === 'header')
        .map(({ value }) => value['name'])
      const missing = expected.filter((name) => !headers.includes(name))
      return missing.length === 0
        ? []
        : [{ message: `${text(placed.operation['operationId'])} lacks the header ${missing.join(' and ')}`, path: placed.path }]
    })
}
