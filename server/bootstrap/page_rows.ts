import { generateNKeysBetween } from 'fractional-indexing'
import { blockTypes, ReferenceList, storeRichText } from '../domain/content/index.ts'
import { newId } from '../kernel/ids.ts'
import type { NewBlock, ParentType } from '../store/blocks.ts'
import type { SampleBlock } from './sample_content.ts'

const MADE_BY_SERVICE: ReadonlySet<string> = new Set(['link_preview', 'unsupported', 'meeting_notes', 'child_database'])

interface Parent {
  readonly type: ParentType
  readonly id: string
  readonly pageId: string | null
}

/** Collects the same rows that requests of a caller would create. */
export class PageRows {
  readonly rows: NewBlock[] = []
  readonly #references = new ReferenceList()
  readonly #now: number
  readonly #authorId: string

  constructor(now: number, authorId: string) {
    this.#now = now
    this.#authorId = authorId
  }

  addPage(id: string, title: string, place: Parent & { rank: string }): void {
    this.#add(id, 'child_page', { title: storeRichText([{ text: { content: title } }], '', this.#references) }, place)
  }

  addDatabase(id: string, title: string, place: Parent & { rank: string }): void {
    this.#add(id, 'child_database', { title: storeRichText([{ text: { content: title } }], '', this.#references) }, place)
  }

  addBlocks(blocks: readonly SampleBlock[], parent: Parent): void {
    const ranks = generateNKeysBetween(null, null, blocks.length)
    for (const [index, block] of blocks.entries()) {
      const id = block.id ?? newId()
      const content = MADE_BY_SERVICE.has(block.type)
        ? { ...block.content }
        : blockTypes[block.type].content.create(block.content, '', {
            references: this.#references,
            baseUrl: '',
            files: { brand: 'Service' },
          })
      this.#add(id, block.type, content, { ...parent, rank: ranks[index] ?? '' })
      this.addBlocks(block.children ?? [], { type: 'block_id', id, pageId: parent.pageId })
    }
  }

  #add(id: string, type: string, content: NewBlock['content'], place: Parent & { rank: string }): void {
    this.rows.push({
      id,
      type,
      content,
      parentType: place.type,
      parentId: place.id,
      pageId: place.pageId,
      rank: place.rank,
      createdTime: this.#now,
      createdBy: this.#authorId,
    })
  }
}
