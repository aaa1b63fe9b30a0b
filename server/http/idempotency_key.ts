import type { Request } from 'express'
import type { Operation } from '../contract/operation.ts'
import { ServiceError, shown } from '../kernel/errors.ts'

const HEADER = 'Idempotency-Key'
const KEY_LENGTH_MAX = 255
const KEY_EXPECTATION = `1 to ${KEY_LENGTH_MAX} printable ASCII characters without spaces, quotes or backslashes`
/** A string as in structured fields (RFC 9651), with or without quotation marks. */
const KEY = /^(?:"([!#-[\]-~]+)"|([!#-[\]-~]+))$/

/**
 * The idempotency key of a request, without quotes; undefined if it has none or its operation accepts none.
 * @throws ServiceError `validation_error` at `Idempotency-Key header`
 */
export function idempotencyKeyOf(operation: Operation, request: Request): string | undefined {
  // Node computes `headersDistinct` when it is first read. Most requests do not need it.
  const values = request.headers['idempotency-key'] === undefined ? undefined : request.headersDistinct['idempotency-key']
  if (values === undefined || !operation.headerParameters.includes(HEADER)) return undefined
  if (values.length > 1) throw badKey(`${HEADER} header should be sent once`)
  const text = values[0] ?? ''
  const [, quoted, bare] = KEY.exec(text) ?? []
  const key = quoted ?? bare
  if (key === undefined) throw badKey(`${HEADER} header should be ${KEY_EXPECTATION}, instead was ${shown(text)}`)
  if (key.length > KEY_LENGTH_MAX)
    throw badKey(`${HEADER} header.length should be ≤ \`${KEY_LENGTH_MAX}\`, instead was \`${key.length}\``)
  return key
}

function badKey(complaint: string): ServiceError {
  return new ServiceError('validation_error', { message: `${HEADER} header failed validation: ${complaint}.` })
}
