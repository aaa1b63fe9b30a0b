import { Agent, request as httpRequest } from 'node:http'
import { newestRelease, operations } from '../../generated/operations.ts'
import { findRoute, type OperationId } from '../../server/contract/operation.ts'
import { checkAccepted, checked, type TestResponse, type RawResponse } from './responses.ts'
import { markValuesOfForm, markValuesOfRequest, textParts } from './seen_values.ts'

export type HeaderMap = Readonly<Record<string, string | string[] | undefined>>

export interface CallParts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | readonly string[]>> | string
  readonly body?: unknown
  /** A body other than JSON; `headers` must have its content type. */
  readonly bytes?: Buffer
  readonly headers?: HeaderMap
}

export interface RawRequest {
  readonly headers?: HeaderMap
  readonly body?: string | Buffer
}

/** An idle connection ends well before the service would close it, so that none is closed just as a request is sent over it. */
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 30_000 })

/** A client with a token. Every response is checked against the contract before a test sees it. */
export class Caller {
  readonly #url: URL
  readonly #headers: HeaderMap

  constructor(url: string, token: string | undefined, version: string | undefined = newestRelease) {
    this.#url = new URL(url)
    this.#headers = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(version === undefined ? {} : { 'Service-Version': version }),
    }
  }

  async call(id: OperationId, { path = {}, query = {}, body, bytes, headers = {} }: CallParts = {}): Promise<TestResponse> {
    const operation = operations[id]
    const target = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      encodeURIComponent(path[name] ?? `missing-${name}`),
    )
    const method = operation.method.toUpperCase()
    const text = body === undefined ? undefined : JSON.stringify(body)
    const raw = await this.#transmit(method, target + queryText(query), {
      headers: { ...(text === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(text === undefined ? {} : { body: text }),
      ...(bytes === undefined ? {} : { body: bytes }),
    })
    const response = checked(id, method, raw)
    checkAccepted(id, text, raw)
    markValuesOfRequest([path, query, textsOf(query), { ...this.#headers, ...headers }, body, bytes && textParts(bytes)], raw)
    return response
  }

  /** Sends a request target exactly as given. `headers` override those of the caller; undefined removes one. */
  async send(method: string, target: string, parts: RawRequest = {}): Promise<TestResponse> {
    const raw = await this.#transmit(method, target, parts)
    const response = checked(operationOf(method, target, raw), method, raw)
    if (target.startsWith(operations.createAuthorization.path)) markValuesOfForm(target, parts.body, raw)
    return response
  }

  /** Requests a page of the service that is not part of the contract. */
  async page(target: string, method = 'GET', headers: HeaderMap = {}, body?: string): Promise<RawResponse> {
    return this.#transmit(method, target, { headers, ...(body === undefined ? {} : { body }) })
  }

  #transmit(method: string, target: string, { headers = {}, body }: RawRequest): Promise<RawResponse> {
    const all = Object.fromEntries(
      Object.entries({ ...this.#headers, ...headers }).filter(
        (entry): entry is [string, string | string[]] => entry[1] !== undefined,
      ),
    )
    const bytes = body === undefined ? undefined : Buffer.from(body)
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          agent,
          method,
          path: target,
          host: this.#url.hostname,
          port: this.#url.port,
          headers: { ...all, ...(bytes && !hasLength(all) ? { 'Content-Length': String(bytes.length) } : {}) },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString('utf8'),
              bytes: Buffer.concat(chunks),
            }),
          )
        },
      )
      request.on('error', reject)
      request.end(bytes)
    })
  }
}

function hasLength(headers: object): boolean {
  return Object.keys(headers).some((name) => /^(?:content-length|transfer-encoding)$/i.test(name))
}

/** Query values as strings, as in the URL. */
function textsOf(query: NonNullable<CallParts['query']>): object {
  return typeof query === 'string' ? {} : Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

function queryText(query: NonNullable<CallParts['query']>): string {
  if (typeof query === 'string') return query === '' ? '' : `?${query}`
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}=${encodeURIComponent(String(one))}`),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The operation that a raw request reached; undefined if its URL was refused. */
function operationOf(method: string, target: string, { text }: RawResponse): OperationId | undefined {
  if (text.includes('"code":"invalid_request_url"')) return undefined
  const path = (target.split('?', 1)[0] ?? '').replace(/\/$/, '')
  const match = findRoute(method, path.slice(1).split('/').map(lenientDecode))
  return match && 'operation' in match ? match.operation.id : undefined
}

function lenientDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
