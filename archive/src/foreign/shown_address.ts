import { percentDecoded } from '@workspace-service/server/kernel/urls.ts'
import { NOTE_SCHEME } from './markdown_html.ts'

/** The name of the note in an address; undefined for any other address. */
export function noteNameIn(address: string): string | undefined {
  return address.startsWith(NOTE_SCHEME) ? percentDecoded(address.slice(NOTE_SCHEME.length)) : undefined
}

/** An address as the list of losses shows it, truncated. */
export function shownAddress(written: string): string {
  const address = noteNameIn(written) ?? written
  return address.length > 100 ? `${address.slice(0, 100)}…` : address
}
