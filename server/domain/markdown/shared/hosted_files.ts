import type { StoredContent } from '../../../store/blocks.ts'

/** Files that the service stores for a page. Markdown only has their addresses; a block that replaces another keeps its files. */
export interface HostedFiles {
  /** Content of a media block, by the address of its file. */
  readonly media: ReadonlyMap<string, StoredContent>
  /** Icons as they are stored, by their address. */
  readonly icons: ReadonlyMap<string, unknown>
}

export const noHostedFiles: HostedFiles = { media: new Map(), icons: new Map() }
