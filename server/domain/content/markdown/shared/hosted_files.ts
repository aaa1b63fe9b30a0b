import type { StoredContent } from '../../../../store/blocks.ts'

/** The hosted files of a page by address. Markdown contains only addresses, so a replaced block finds its stored file here. */
export interface HostedFiles {
  /** Content of a media block, by the address of its file. */
  readonly media: ReadonlyMap<string, StoredContent>
  /** Icons as they are stored, by their address. */
  readonly icons: ReadonlyMap<string, unknown>
}

export const noHostedFiles: HostedFiles = { media: new Map(), icons: new Map() }
