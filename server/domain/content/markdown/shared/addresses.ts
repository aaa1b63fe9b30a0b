import { hasScheme } from '../../../../kernel/urls.ts'
import { unescapeText } from './escapes.ts'

const URL_LENGTH_MAX = 2_000
/** The maximum length of an address in Markdown: escapes make it up to twice as long, and a title may follow. */
const WRITTEN_LENGTH_MAX = 2 * URL_LENGTH_MAX + 1_000

/** Whether a link may point to an address: an absolute http, https, mailto or tel address, or a path of this service. */
export function isLinkAddress(url: string): boolean {
  return (
    isShort(url) && ((url.startsWith('/') && !url.startsWith('//')) || hasScheme(url, ['http:', 'https:', 'mailto:', 'tel:']))
  )
}

const UPLOAD = /^file-upload:\/\/([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The id of the upload that `file-upload://<id>` refers to. */
export function uploadOf(source: string): string | undefined {
  return UPLOAD.exec(source)?.[1]
}

/** Whether a file may come from an address: an absolute http or https address, or an upload. */
export function isFileAddress(url: string): boolean {
  return (isShort(url) && hasScheme(url, ['http:', 'https:'])) || uploadOf(url) !== undefined
}

function isShort(url: string): boolean {
  return url.length <= URL_LENGTH_MAX || [...url].length <= URL_LENGTH_MAX
}

/** Matches the beginning of an address that a link or image may have, ignoring escapes. */
const ADDRESS_START = /\(\s{0,100}<?(?:\/|https?:|mailto:|tel:|file-upload:)/iy

/**
 * Parses the `(address "title")` of a link or image.
 * @param open the position of the opening parenthesis
 * @returns the unescaped address, and the position after the closing parenthesis
 */
export function parseDestination(text: string, open: number): { readonly url: string; readonly end: number } | undefined {
  ADDRESS_START.lastIndex = open
  if (!ADDRESS_START.test(text)) return undefined
  const part = text.slice(open, open + WRITTEN_LENGTH_MAX)
  const bracketed = /^\(\s*<((?:[^<>\\]|\\.)*)>/.exec(part)
  const [addressEnd, address] = bracketed ? [bracketed[0].length, bracketed[1] ?? ''] : bareAddress(part)
  const title = /^(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)/.exec(part.slice(addressEnd))
  return title ? { url: withEncodedBlanks(unescapeText(address)), end: open + addressEnd + title[0].length } : undefined
}

const IN_ANGLES =
  /<(?:([a-z][a-z0-9+.-]{1,31}:[^\s\p{Cc}<>]*)|([\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.|(?=>)))+))>/iuy

/** The address between angle brackets, with its text and the position after them. */
export function addressInAngles(
  text: string,
  open: number,
): { readonly text: string; readonly url: string; readonly end: number } | undefined {
  IN_ANGLES.lastIndex = open
  const [whole, address, mailbox] = IN_ANGLES.exec(text) ?? []
  const url = mailbox === undefined ? address : `mailto:${mailbox}`
  if (whole === undefined || url === undefined || !isLinkAddress(url)) return undefined
  return { text: address ?? mailbox ?? '', url, end: open + whole.length }
}

/** The address in the parentheses of a link, up to the first blank or the closing parenthesis. Balanced parentheses belong to it. */
function bareAddress(part: string): [end: number, address: string] {
  const start = /^\(\s*/.exec(part)?.[0].length ?? 1
  let position = start
  for (let depth = 0; position < part.length; position += 1) {
    const code = part.charCodeAt(position)
    if (code === 92) position += 1
    else if (code <= 32) break
    else if (code === 40) depth += 1
    else if (code === 41 && (depth -= 1) < 0) break
  }
  return [position, part.slice(start, position)]
}

/** An address as it may appear in a text: blanks and control characters are encoded. */
export function withEncodedBlanks(url: string): string {
  return url.replace(/[\s\p{Cc}]/gu, (character) => encodeURIComponent(character))
}
