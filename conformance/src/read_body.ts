import type { IncomingHttpHeaders } from 'node:http'
import { countValues, defaultLimits } from '../../client/src/limits.ts'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** The limits of a body that is checked, after decompression. Checking takes many times the memory of the values. */
export const bodyLimits = { ...defaultLimits, bytes: 4 * 2 ** 20, values: 200_000 }

const DECODERS: Readonly<Record<string, (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}

/** A body as text, and as its value if it is JSON. */
export interface ReadBody {
  readonly text: string
  /** Media type without parameters; undefined when there is none. */
  readonly type: string | undefined
  /** Undefined if the body is not JSON, or is invalid JSON. */
  readonly value: unknown
}

/** @returns undefined for a body beyond the limits, or of an unknown encoding */
export function readBody(bytes: Buffer | undefined, headers: IncomingHttpHeaders): ReadBody | undefined {
  const plain = bytes && decoded(bytes, headers['content-encoding'])
  if (!plain) return undefined
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  const text = plain.toString('utf8')
  if (type !== 'application/json') return { text, type, value: undefined }
  return typeof countValues(text, bodyLimits) === 'string' ? undefined : { text, type, value: parsed(text) }
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer | undefined {
  if (bytes.length === 0 || encoding === undefined || encoding === 'identity') return bytes
  try {
    return DECODERS[encoding.trim().toLowerCase()]?.(bytes, { maxOutputLength: bodyLimits.bytes })
  } catch {
    return undefined
  }
}

/** @returns undefined for invalid JSON */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
