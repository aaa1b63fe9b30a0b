import type { Request } from 'express'
import Negotiator from 'negotiator'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../kernel/errors.ts'

export const EVENT_STREAM_TYPE = 'text/event-stream'

/**
 * Checks the Accept header. Parameters of media types are ignored: a requested charset or version does not change the response.
 * @throws ServiceError `invalid_request` if the Accept header excludes every media type of the operation
 */
export function requireAcceptable({ successTypes }: Pick<Operation, 'successTypes'>, request: Pick<Request, 'headers'>): void {
  const { accept } = request.headers
  // An operation that only redirects has no media type to exclude.
  if (successTypes.length === 0 || accept === undefined || accept === '*/*' || accept.trim() === '') return
  if (successTypes.includes(accept)) return
  const ranges = new Negotiator(request).mediaTypes().map((range) => range.toLowerCase())
  if (successTypes.some((type) => ranges.some((range) => covers(range, type)))) return
  throw new ServiceError('invalid_request', {
    message: `This operation responds with ${successTypes.join(' or ')}, which the Accept header excludes.`,
  })
}

/** Whether the Accept header names `text/event-stream` and the operation can respond with it; a wildcard does not count. */
export function wantsStream({ successTypes }: Pick<Operation, 'successTypes'>, request: Pick<Request, 'headers'>): boolean {
  if (!successTypes.includes(EVENT_STREAM_TYPE) || request.headers.accept === undefined) return false
  return new Negotiator(request).mediaTypes().some((range) => range.toLowerCase() === EVENT_STREAM_TYPE)
}

function covers(range: string, type: string): boolean {
  return range === '*/*' || range === type || range === `${type.split('/', 1)[0]}/*`
}
