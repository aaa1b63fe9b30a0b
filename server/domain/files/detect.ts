import { fileTypeFromBuffer } from 'file-type'
import { essenceOf } from './types.ts'

/** The number of bytes from the start of a file that are needed to detect its type. */
export const HEAD_BYTES = 4_100

/**
 * Types that share a file format, so that they cannot be distinguished by their first bytes. A type belongs to the first group that
 * contains it.
 */
const groups: readonly (readonly string[])[] = [
  [
    'application/zip',
    'application/epub+zip',
    'application/vnd.openxmlformats-officedocument.',
    'application/vnd.oasis.opendocument.',
  ],
  ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint', 'application/x-cfb'],
  ['video/mp4', 'application/mp4', 'audio/mp4', 'audio/x-m4', 'video/x-m4v', 'video/quicktime', 'video/3gpp', 'video/x-f4v'],
  ['video/webm', 'audio/webm', 'video/x-matroska', 'video/matroska', 'audio/x-matroska', 'audio/matroska'],
  ['audio/ogg', 'video/ogg', 'application/ogg', 'audio/opus'],
  ['video/x-ms-asf', 'audio/x-ms-asf', 'application/vnd.ms-asf', 'audio/x-ms-wma', 'video/x-ms-wmv'],
  ['video/x-msvideo', 'video/vnd.avi', 'video/x-amv'],
  ['image/png', 'image/apng'],
  ['image/heic', 'image/heif'],
  ['image/tiff', 'image/x-'],
  ['image/vnd.microsoft.icon', 'image/x-icon', 'image/ico'],
  ['audio/wav', 'audio/vnd.wave', 'audio/x-wav'],
  ['audio/x-flac', 'audio/flac'],
  ['audio/mpeg', 'audio/aac', 'video/mpeg', 'video/mp2p', 'video/mp1s', 'video/mp2t'],
  ['application/gzip', 'application/x-gzip'],
  ['application/vnd.rar', 'application/x-rar-compressed', 'application/x-rar'],
  ['application/x-bzip2', 'application/x-bzip'],
]

const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/javascript',
  'application/typescript',
  'application/rtf',
  'application/xml',
  'image/svg+xml',
])

/**
 * The type detected from the first bytes of a file, if it contradicts the declared type. Unknown bytes do not contradict any type.
 * @param head the first bytes of the file
 * @returns the detected type, or undefined
 */
export async function contradiction(head: Uint8Array, contentType: string): Promise<string | undefined> {
  const claimed = essenceOf(contentType)
  const isText = isPlainText(head)
  const found = (isText ? markupOf(head) : undefined) ?? essenceOf((await fileTypeFromBuffer(head))?.mime ?? '')
  if (found === '') return undefined
  // Some texts begin like files of other types.
  if (claimed.startsWith('text/') || textTypes.has(claimed)) return isText || isTextType(found) ? undefined : found
  return isSameGroup(claimed, found) ? undefined : found
}

const MARKUP = /^\ufeff?\s{0,1000}<(?:(!doctype html|html|head|body|script|iframe|!--)|\?xml|svg)[\s>]/i

/** The type of text that browsers would render as a page. */
function markupOf(head: Uint8Array): string | undefined {
  const [start, html] = MARKUP.exec(new TextDecoder().decode(head)) ?? []
  return start === undefined ? undefined : html === undefined ? 'text/xml' : 'text/html'
}

function isTextType(type: string): boolean {
  return type.startsWith('text/') || type.endsWith('+xml') || textTypes.has(type)
}

function isSameGroup(claimed: string, found: string): boolean {
  if (claimed === found) return true
  const group = groups.find((types) => types.some((type) => claimed.startsWith(type)))
  return group?.some((type) => found.startsWith(type)) ?? false
}

/** Whether bytes are UTF-8 without control characters. The last character may be incomplete. */
function isPlainText(head: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)
  } catch {
    return false
  }
}
