import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import { newestRelease, pathPatterns, type Operation } from '../../generated/operations.ts'
import { InvalidCallError } from './errors.ts'
import type { CallOptions, ClientOptions, Credentials } from './options.ts'
import { VERSION } from './version.ts'

/** Input of a call whose operation is not known yet: the methods' types are narrower. */
export interface AnyInput extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** @throws InvalidCallError for an address that cannot be a service's @returns the address without `/v1` and trailing slashes */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
  if (!isPlain) throw new InvalidCallError('baseUrl should be an http or https address without credentials, query or fragment.')
  return url.href
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/v1$/, '')
    .replace(/(?<!\/)\/+$/, '')
}

const serializeQuery = createQuerySerializer<unknown>()

/** @throws InvalidCallError for a path parameter that is missing or invalid by the contract */
export function addressOf(baseUrl: string, operation: Operation, { path = {}, query = {} }: AnyInput): string {
  const checked = Object.fromEntries(operation.pathParameters.map((name) => [name, pathValue(operation, name, path[name])]))
  return createFinalURL(operation.path, {
    baseUrl,
    params: { path: checked, query: { ...query } },
    querySerializer: serializeQuery,
    pathSerializer: defaultPathSerializer,
  })
}

function pathValue(operation: Operation, name: string, value: unknown): string {
  const rule = pathPatterns[name]
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : value === null ? 'null' : typeof value
  const expected = rule?.expectation ?? 'a text that is not empty'
  // With these characters, the address would have another path.
  const isText = typeof value === 'string' && !['', '.', '..'].includes(value)
  if (!isText || (rule && !new RegExp(rule.pattern, 'u').test(value)))
    throw new InvalidCallError(`${operation.id}: path.${name} should be ${expected}, instead was ${shown}.`)
  return value
}

/** @throws InvalidCallError for missing credentials, or a value that cannot be sent in a header */
export function headersOf(operation: Operation, client: ClientOptions, call: AnyInput): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(client.headers ?? {})) setHeader(headers, name, value)
  for (const [name, value] of Object.entries(call.headers ?? {})) setHeader(headers, name, value)
  for (const [name, value] of Object.entries(ownHeaders(operation, client, call)))
    if (value !== undefined && !headers.has(name)) setHeader(headers, name, value)
  if (!headers.has('Authorization')) {
    const authorization = authorizationOf(operation, client, call)
    if (authorization !== undefined) setHeader(headers, 'Authorization', authorization)
  }
  return headers
}

function ownHeaders(operation: Operation, client: ClientOptions, call: AnyInput): Record<string, string | undefined> {
  const takes = (header: string): boolean => operation.headerParameters.includes(header)
  const brand = client.headerBrand ?? 'Service'
  const betas = call.betas ?? client.betas ?? []
  const key = call.idempotencyKey ?? (client.automaticIdempotencyKeys ? crypto.randomUUID() : undefined)
  return {
    [`${brand}-Version`]: takes('Service-Version') ? (call.version ?? client.version ?? newestRelease) : undefined,
    [`${brand}-Beta`]: takes('Service-Beta') && betas.length > 0 ? betas.join(', ') : undefined,
    'Idempotency-Key': takes('Idempotency-Key') ? key : undefined,
    'User-Agent': mayNameItself() ? `workspace-service-client/${VERSION}` : undefined,
  }
}

/** Browsers send their own User-Agent; in some, another one causes a preflight that the service refuses. */
function mayNameItself(): boolean {
  return !('document' in globalThis) && !('WorkerGlobalScope' in globalThis)
}

function authorizationOf(operation: Operation, client: Credentials, call: Credentials): string | undefined {
  const takes = operation.credentials
  if (takes === 'none') return undefined
  // Options of the call override those of the client.
  for (const { token, clientId, clientSecret } of [call, client]) {
    if (takes !== 'bearer' && clientId && clientSecret) return `Basic ${base64(`${clientId}:${clientSecret}`)}`
    if (takes !== 'client' && token) return `Bearer ${token}`
  }
  const wanted = {
    bearer: '`token`',
    client: '`clientId` and `clientSecret`',
    connection: '`clientId` and `clientSecret`, or `token`',
  }
  throw new InvalidCallError(`${operation.id} needs credentials: pass ${wanted[takes]} to the client or the call.`)
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    // The runtime's message would contain the value, which may be a secret.
    throw new InvalidCallError(`The header ${JSON.stringify(name)} or its value contains characters that headers cannot have.`)
  }
}

/** @throws InvalidCallError if there should be no body, or it cannot be JSON @returns the body as JSON or as one of two kinds of form */
export function bodyOf(operation: Operation, body: unknown): { body?: string | FormData | URLSearchParams; type?: string } {
  if (body === undefined) return {}
  if (operation.requestTypes.length === 0) throw new InvalidCallError(`${operation.id} takes no body.`)
  if (body instanceof FormData || body instanceof URLSearchParams) return { body }
  const takes = (type: string): boolean => operation.requestTypes.includes(type)
  if (takes('application/json')) return { body: jsonOf(operation, body), type: 'application/json' }
  const fields = typeof body === 'object' && body !== null ? Object.entries(body).filter(([, value]) => value !== undefined) : []
  if (!takes('multipart/form-data'))
    return { body: new URLSearchParams(Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))) }
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value instanceof Blob ? value : String(value))
  return { body: form }
}

function jsonOf({ id }: Operation, body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw new InvalidCallError(`${id}: the body cannot be written as JSON.`, { cause })
  }
}
