import { ServiceError } from '../kernel/errors.ts'

const URL_BYTES_MAX = 8 * 1024
/** The maximum number of UTF-8 bytes of a UTF-16 code unit. */
const BYTES_PER_UNIT_MAX = 3

interface ParsedUrl {
  /** The path segments, percent-decoded. */
  readonly segments: readonly string[]
  /** The query without its question mark, undecoded; empty if there is none. */
  readonly query: string
}

/**
 * Splits a request target. One trailing slash is ignored; nothing else is normalized. Path traversal, encoded slashes and invalid encodings
 * are refused.
 * @throws ServiceError `invalid_request_url`
 */
export function parseUrl(target: string): ParsedUrl {
  if (target.length > URL_BYTES_MAX / BYTES_PER_UNIT_MAX && Buffer.byteLength(target) > URL_BYTES_MAX)
    throw invalidUrl(`The URL is longer than ${URL_BYTES_MAX} bytes.`)
  const questionMark = target.indexOf('?')
  const path = questionMark === -1 ? target : target.slice(0, questionMark)
  if (!path.startsWith('/')) throw invalidUrl('The URL is not a path.')
  const segments = path.slice(1).split('/')
  if (segments.length > 1 && segments.at(-1) === '') segments.pop()
  return { segments: segments.map(decodeSegment), query: questionMark === -1 ? '' : target.slice(questionMark + 1) }
}

/** Matches segments that need neither decoding nor checks. */
const PLAIN_SEGMENT = /^[\w-]+$/

function decodeSegment(segment: string): string {
  if (PLAIN_SEGMENT.test(segment)) return segment
  if (segment === '') throw invalidUrl('The path has an empty segment.')
  let text: string
  try {
    text = decodeURIComponent(segment)
  } catch {
    throw invalidUrl('The path has invalid percent-encoding.')
  }
  if (text === '.' || text.includes('..') || text.includes('/') || text.includes('\\') || text.includes('\0')) {
    throw invalidUrl('The path has a segment that is not allowed.')
  }
  return text
}

export function invalidUrl(message: string, headers: Record<string, string> = {}): ServiceError {
  return new ServiceError('invalid_request_url', { message, headers })
}

const PATH_SHOWN_LENGTH_MAX = 200

/** The path of a request target as logs show it: without the query, which can hold secrets. */
export function shownPath(target: string): string {
  return (target.split('?', 1)[0] ?? '').slice(0, PATH_SHOWN_LENGTH_MAX)
}
