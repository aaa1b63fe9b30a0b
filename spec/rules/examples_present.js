import { contents, node, operations, text } from './support/contract.js'

/**
 * Every request body, every response and every webhook event has an example for each media type.
 * @param {unknown} document
 */
export default function examplesPresent(document) {
  const events = Object.entries(node(node(document)['webhooks'])).map(([name, item]) => ({
    operation: node(node(item)['post']),
    path: ['webhooks', name, 'post'],
  }))
  return [...operations(document), ...events].flatMap(({ operation, path }) => {
    const responses = Object.entries(node(operation['responses'])).flatMap(([status, response]) =>
      contents(document, response, [...path, 'responses', status]),
    )
    const bodies = contents(document, operation['requestBody'], [...path, 'requestBody'])
    return [...bodies, ...responses]
      .filter(([, media]) => Object.keys(node(media['examples'])).length === 0)
      .map(([type, , location]) => ({ message: `${text(operation['operationId'])} has no example for ${type}`, path: location }))
  })
}
