import type { StoredContent } from '../../../../store/blocks.ts'

/**
 * The hosted files of a page by address. Markdown contains only addresses, so a block that replaces one with a hosted file gets the stored
 * file from here.
 */
export interface HostedFiles {
  /** The content of media blocks, by the addresses of their files. */
  readonly media: ReadonlyMap<string, StoredContent>
  /** The stored icons, by their addresses. */
  readonly icons: ReadonlyMap<string, unknown>
}

export const noHostedFiles: HostedFiles = { media: new Map(), icons: new Map() }
