import type { Request } from 'express'

/** Why no one can be sure where the body of a request ends, as the code of an error. */
type FramingFault = 'TRANSFER_ENCODING_IN_HTTP_1_0' | 'TRANSFER_ENCODING_UNKNOWN'

/**
 * Looks for what the parser takes although a proxy in front may read it otherwise: behind such a body a second request could hide.
 * @returns undefined for a request that can be read in one way only
 */
export function framingFault({ httpVersion, headers }: Request): FramingFault | undefined {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  if (httpVersion !== '1.1') return 'TRANSFER_ENCODING_IN_HTTP_1_0'
  return coding.trim().toLowerCase() === 'chunked' ? undefined : 'TRANSFER_ENCODING_UNKNOWN'
}
