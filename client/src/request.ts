import { createFinalURL, createQuerySerializer } from 'openapi-fetch'
import type { ClientOperation } from '../../generated/client_operations.ts'
import { pathPatterns } from '../../generated/operations.ts'
import { InvalidCallError } from './errors.ts'
import type { CallOptions } from './options.ts'

/** Input of a call whose operation is not known yet: the types of `call` and of the resources are narrower. */
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

/** Fills a path template, with or without the address of the service. @throws InvalidCallError for a parameter that is missing or invalid by the contract */
export function serializePath(template: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent(pathValue(template, name, parameters[name])),
  )
}

function pathValue(template: string, name: string, value: unknown): string {
  const rule = pathPatterns[name]
  // With these characters, the address would have another path.
  const isText = typeof value === 'string' && !['', '.', '..'].includes(value)
  if (isText && (!rule || new RegExp(rule.pattern, 'u').test(value))) return value
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : value === null ? 'null' : typeof value
  throw new InvalidCallError(
    `${template.slice(template.lastIndexOf('/v1/'))}: path.${name} should be ${rule?.expectation ?? 'a text that is not empty'}, instead was ${shown}.`,
  )
}

/** The address of an operation. @throws InvalidCallError for an invalid path parameter */
export function addressOf(baseUrl: string, { path: template }: ClientOperation, { path = {}, query = {} }: AnyInput): string {
  const params = { path, query: { ...query } }
  const [querySerializer, pathSerializer] = [createQuerySerializer<unknown>(), serializePath]
  return createFinalURL(template, { baseUrl, params, querySerializer, pathSerializer })
}

/** @throws InvalidCallError if there should be no body, or it cannot be JSON @returns the body as JSON or as one of two kinds of form */
export function serializeBody(operation: ClientOperation, body: unknown): string | FormData | URLSearchParams {
  if (operation.body === undefined) {
    const names = typeof body === 'object' && body !== null ? Object.keys(body).join(', ') : ''
    throw new InvalidCallError(`${operation.id} takes no body${names && `, and has no parameter ${names}`}.`)
  }
  if (body instanceof FormData || body instanceof URLSearchParams) return body
  if (operation.body === 'json') return jsonOf(operation, body)
  const fields = typeof body === 'object' && body !== null ? Object.entries(body).filter(([, value]) => value !== undefined) : []
  if (operation.body === 'form')
    return new URLSearchParams(Object.fromEntries(fields.map(([name, value]) => [name, String(value)])))
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value instanceof Blob ? value : String(value))
  return form
}

function jsonOf({ id }: ClientOperation, body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw new InvalidCallError(`${id}: the body cannot be written as JSON.`, { cause })
  }
}
