import { undashed } from '../../../../kernel/ids.ts'
import type { Block } from '../../../../store/blocks.ts'

/** The address of a page or database. */
export function recordAddress(id: string, baseUrl: string): string {
  return `${baseUrl}/${undashed(id)}`
}

/** The address of a block: a fragment of the address of its page. */
export function blockAddress({ id, pageId }: Pick<Block, 'id' | 'pageId'>, baseUrl: string): string {
  return pageId === null ? recordAddress(id, baseUrl) : `${recordAddress(pageId, baseUrl)}#${undashed(id)}`
}
