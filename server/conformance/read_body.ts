import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** The most decompressed bytes of a body that are checked. */
const BYTES_MAX = 16 * 1_048_576
/** More levels than any schema needs: validators recurse, and would overflow the stack. */
const LEVELS_MAX = 200

const DECODERS: Readonly<Record<string, (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}

/** A body as text, and as its value where it is JSON. */
export interface ReadBody {
  readonly text: string
  /** Media type without parameters; undefined when there is none. */
  readonly type: string | undefined
  /** Undefined when the body is not JSON, or claims to be and is not. */
  readonly value: unknown
}

/** @returns undefined for a body that is too long or nested too deep, or has an unknown encoding */
export function readBody(bytes: Buffer | undefined, headers: IncomingHttpHeaders): ReadBody | undefined {
  const plain = bytes && decoded(bytes, headers['content-encoding'])
  if (!plain) return undefined
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  const text = plain.toString('utf8')
  const value = type === 'application/json' ? parsed(text) : undefined
  return isTooDeep(value) ? undefined : { text, type, value }
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer | undefined {
  if (bytes.length === 0 || encoding === undefined || encoding === 'identity') return bytes
  try {
    return DECODERS[encoding.trim().toLowerCase()]?.(bytes, { maxOutputLength: BYTES_MAX })
  } catch {
    return undefined
  }
}

/** @returns undefined for what is not JSON */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let levels = 0; levels < LEVELS_MAX; levels += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : []))
    if (level.length === 0) return false
  }
  return true
}
