import type { StoredContent } from '../../store/blocks.ts'
import type { LoadedNode } from './load.ts'
import type { MarkdownBlock } from './tree.ts'

/** Files that a page holds itself. Markdown knows nothing of them but an address; a block that is made of a changed one keeps them. */
export interface HostedFiles {
  /** Content of a media block, by the address of its file. */
  readonly media: ReadonlyMap<string, StoredContent>
  /** Icons as they are stored, by their address. */
  readonly icons: ReadonlyMap<string, unknown>
}

export const noHostedFiles: HostedFiles = { media: new Map(), icons: new Map() }

/** How addresses of hosted files begin. */
export function filesAddress(baseUrl: string): string {
  return `${baseUrl}/files/`
}

/** @param owners blocks of a page whose addresses are without signatures, and the stored block that each of them shows */
export function hostedFilesOf(owners: ReadonlyMap<MarkdownBlock, LoadedNode>, baseUrl: string): HostedFiles {
  const media = new Map<string, StoredContent>()
  const icons = new Map<string, unknown>()
  const start = filesAddress(baseUrl)
  for (const [{ fields }, { block }] of owners) {
    if (fields.source?.startsWith(start)) media.set(fields.source, block.content)
    if (fields.icon?.startsWith(start)) icons.set(fields.icon, block.content['icon'])
  }
  return { media, icons }
}
