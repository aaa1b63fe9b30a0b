import type { Request } from 'express'

/** Why the end of a request's body is ambiguous; used as an error code. */
type FramingFault = 'TRANSFER_ENCODING_IN_HTTP_1_0' | 'TRANSFER_ENCODING_UNKNOWN'

/**
 * Detects framing that Node accepts but a proxy may interpret differently, which would allow request smuggling.
 * @returns undefined if the framing is unambiguous
 */
export function framingFault({ httpVersion, headers }: Request): FramingFault | undefined {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  if (httpVersion !== '1.1') return 'TRANSFER_ENCODING_IN_HTTP_1_0'
  return coding.trim().toLowerCase() === 'chunked' ? undefined : 'TRANSFER_ENCODING_UNKNOWN'
}
