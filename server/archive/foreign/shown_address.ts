import { percentDecoded } from '../../kernel/urls.ts'
import { NOTE_SCHEME } from './markdown_html.ts'

/** An address as a list of losses shows it. */
export function shownAddress(written: string): string {
  const address = written.startsWith(NOTE_SCHEME) ? percentDecoded(written.slice(NOTE_SCHEME.length)) : written
  return address.length > 100 ? `${address.slice(0, 100)}…` : address
}
