import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { newestRelease, operations, type OperationId } from '../../../generated/operations.ts'
import type { CallParts } from '../../harness/caller.ts'
import { targetOf } from '../../harness/every_operation.ts'
import { parseObject, type JsonObject } from '../../harness/json.ts'
import { TOKEN } from '../../harness/server.ts'

const agent = new Agent({ keepAlive: true })

/** Calls operations without checking the responses, which would take more time of this thread than the service does. */
export class UncheckedCaller {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /**
   * Prepares a request.
   * @returns a function that sends it, and resolves with the beginning of the response
   */
  prepare(id: OperationId, { path = {}, query = {}, body, headers = {} }: CallParts): () => Promise<IncomingMessage> {
    const operation = operations[id]
    const search = new URLSearchParams(query as Record<string, string>).toString()
    const url = `${this.#url}${targetOf(operation, path)}${search === '' ? '' : `?${search}`}`
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const sent = {
      Authorization: `Bearer ${TOKEN}`,
      'Service-Version': newestRelease,
      ...headers,
      ...(bytes ? { 'Content-Type': 'application/json', 'Content-Length': bytes.length } : {}),
    }
    return () =>
      new Promise((resolve, reject) => {
        const request = httpRequest(url, { agent, method: operation.method.toUpperCase(), headers: sent }, resolve)
        request.on('error', reject).end(bytes)
      })
  }

  /** @throws Error for an error response */
  async call(id: OperationId, parts: CallParts): Promise<JsonObject> {
    const response = parseObject(await text(await this.prepare(id, parts)()))
    if (response['object'] === 'error') throw new Error(JSON.stringify(response))
    return response
  }
}
