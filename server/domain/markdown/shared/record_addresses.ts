import { undashed } from '../../../kernel/ids.ts'
import type { Block } from '../../../store/blocks.ts'

/** Where a page or database is found. */
export function recordAddress(id: string, baseUrl: string): string {
  return `${baseUrl}/${undashed(id)}`
}

/** Where a block is found: behind the address of its page. */
export function blockAddress({ id, pageId }: Pick<Block, 'id' | 'pageId'>, baseUrl: string): string {
  return pageId === null ? recordAddress(id, baseUrl) : `${recordAddress(pageId, baseUrl)}#${undashed(id)}`
}
