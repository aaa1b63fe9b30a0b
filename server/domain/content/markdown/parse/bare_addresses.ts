import { isLinkAddress } from '../shared/addresses.ts'

/** Matches one character more than an address may have. */
const BEHIND_SCHEME = /:\/\/[^\s\p{Cc}<>"`{}|\\^[\]*]{1,1994}/uy

/** The bare `https://` addresses of one text. Lookups at increasing positions scan the text once in total. */
export class BareAddresses {
  readonly #text: string
  /** No address begins before this position. */
  #noneBefore = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The end of the address whose scheme ends with the colon at a position, or undefined. */
  end(colon: number, textEnd = this.#text.length): number | undefined {
    const text = this.#text
    const start = colon - 'https'.length
    if (colon < this.#noneBefore || !text.startsWith('https://', start)) return undefined
    if (/[\p{L}\p{N}\\]https$/u.test(text.slice(Math.max(0, start - 2), colon))) return undefined
    BEHIND_SCHEME.lastIndex = colon
    const found = `https${BEHIND_SCHEME.exec(text.slice(0, textEnd))?.[0] ?? ''}`
    const address = found.slice(0, lengthOf(found))
    if (address.length > 'https://'.length && isLinkAddress(address)) return start + address.length
    this.#noneBefore = colon + found.length
    return undefined
  }
}

/**
 * The length of an address without trailing punctuation, which belongs to the sentence, and without a closing parenthesis that the address
 * does not open.
 */
function lengthOf(found: string): number {
  let end = found.length
  let unopened = found.split(')').length - found.split('(').length
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? ''
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!".,;:!?'_~$".includes(last)) break
  }
  return end
}
