import type { JSX } from 'preact'

const SERVER_FAULT = 500

/** The status of a response. Faults of the service stand out from mistakes of the caller. */
export function StatusTag({ status }: { readonly status: number }): JSX.Element {
  return <span class={status >= SERVER_FAULT ? 'tag bad' : 'tag'}>{status}</span>
}
