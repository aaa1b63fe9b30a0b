/** Runs the project's ruleset, through Spectral itself, on small documents. */

import spectralCore from '@stoplight/spectral-core'
import ruleset from '../../../.spectral.js'

/** Messages of one rule about a document. */
export async function findings(rule: string, document: object): Promise<string[]> {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset(ruleset)
  const results = await spectral.run(JSON.stringify(document))
  return results.filter(({ code }) => code === rule).map(({ message }) => message)
}

/** A document with one operation, by default `GET /v1/notes`. */
export function withOperation(
  operation: object,
  { path = '/v1/notes', method = 'get', parameters = [] as object[], components = {} } = {},
): object {
  return { openapi: '3.1.1', paths: { [path]: { parameters, [method]: { operationId: 'listNotes', ...operation } } }, components }
}

/** A document of schemas. By `use`, the first one is the request body, the response or both of its only operation. */
export function withSchemas(schemas: Record<string, object>, use: 'request' | 'response' | 'neither' = 'neither'): object {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${Object.keys(schemas)[0]}` } } }
  const operation = {
    ...(use === 'request' ? { requestBody: { content } } : {}),
    responses: { 200: use === 'response' ? { description: 'Fine.', content } : { description: 'Fine.' } },
  }
  return withOperation(operation, { method: 'post', components: { schemas } })
}
