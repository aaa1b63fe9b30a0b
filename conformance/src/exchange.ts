import type { IncomingHttpHeaders } from 'node:http'
import { percentDecoded } from '@workspace-service/server/kernel/urls.ts'

/** A request and its response, as sent over the wire. */
export interface RecordedExchange {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly requestHeaders: IncomingHttpHeaders
  /** Undefined when it was too long to be kept. */
  readonly requestBody: Buffer | undefined
  readonly status: number
  readonly responseHeaders: IncomingHttpHeaders
  /** Undefined when it was too long to be kept. */
  readonly responseBody: Buffer | undefined
}

/** The path of a request target, without the query, in decoded segments. */
export function segmentsOf(target: string): string[] {
  const [path = ''] = target.split('?', 1)
  return path.replace(/\/$/, '').slice(1).split('/').map(percentDecoded)
}

export function queryOf(target: string): URLSearchParams {
  return new URLSearchParams(target.split('?').slice(1).join('?'))
}
