import type { StoredContent } from '../../../store/blocks.ts'

/** Files that a page holds itself. Markdown knows nothing of them but an address; a block that is made of a changed one keeps them. */
export interface HostedFiles {
  /** Content of a media block, by the address of its file. */
  readonly media: ReadonlyMap<string, StoredContent>
  /** Icons as they are stored, by their address. */
  readonly icons: ReadonlyMap<string, unknown>
}

export const noHostedFiles: HostedFiles = { media: new Map(), icons: new Map() }
