import { yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import { listContent, type PlacedContent } from '../../../store/placed_content.ts'
import { definitionOf, isRecord } from '../../block_types/index.ts'
import type { Scope } from '../../scope.ts'
import type { Reach } from './reach.ts'
import { factsInReach } from './titles.ts'

/** What may still be read. It gets less as pages are read, so that several pages can share one. */
export interface ReadingRoom {
  blocks: number
  characters: number
  /** Statements that list the children of one block. */
  lists: number
}

export interface PageText {
  /** The text of each block that has some, in the order of the page. */
  readonly texts: readonly string[]
  /** Nothing was left out for want of room. */
  readonly isWhole: boolean
}

const BLOCKS_AT_ONCE = 100
const DEPTH_MAX = 20

/**
 * The text of a page: of its blocks and of those nested in them. What stands in pages and databases on it is not read; nor is what
 * copies show of a block elsewhere, which may be on a page out of reach: a copy has no children of its own.
 * @param namesOthers whether pages and databases on it, and those it links to, are named where the agent may read them
 */
export async function readPageText(
  scope: Scope,
  reach: Reach,
  pageId: string,
  room: ReadingRoom,
  namesOthers: boolean,
): Promise<PageText> {
  const reading: Reading = { scope, reach, room, namesOthers, texts: [], isWhole: true }
  await readBelow(reading, pageId, 1)
  return reading
}

interface Reading {
  readonly scope: Scope
  readonly reach: Reach
  readonly room: ReadingRoom
  readonly namesOthers: boolean
  readonly texts: string[]
  isWhole: boolean
}

async function readBelow(reading: Reading, parentId: string, depth: number): Promise<void> {
  const { scope, room } = reading
  for (let after: string | undefined; ;) {
    if (room.blocks <= 0 || room.characters <= 0 || room.lists <= 0 || depth > DEPTH_MAX) {
      reading.isWhole = false
      return
    }
    const limit = Math.min(BLOCKS_AT_ONCE, room.blocks)
    room.lists -= 1
    const blocks = await listContent(scope.db, scope.actor.workspaceId, parentId, after, limit)
    room.blocks -= blocks.length
    await readBlocks(reading, blocks, depth)
    after = blocks.at(-1)?.rank
    if (blocks.length < limit || after === undefined) return
  }
}

async function readBlocks(reading: Reading, blocks: readonly PlacedContent[], depth: number): Promise<void> {
  const { scope, reach, room } = reading
  const shown = blocks.map((block) => ({ block, named: definitionOf(block.type).markdown.names(block)?.id }))
  const facts = await factsInReach(
    scope,
    reach,
    shown.map(({ block, named: id }) => (id === undefined ? block.content : { type: 'page', page: { id } })),
  )
  await yieldToEventLoop()
  for (const { block, named } of shown) {
    const name = named !== undefined && reading.namesOthers ? facts.titles.get(named) : ''
    const text = (named === undefined ? definitionOf(block.type).content.text(block.content, facts) : (name ?? '')).trim()
    // What does not fit ends the reading, of this page and of others.
    if (text.length > room.characters) reading.isWhole = false
    else if (text !== '') reading.texts.push(text)
    room.characters -= text.length
    if (room.characters < 0) return
    if (block.hasChildren && !isRecord(block)) await readBelow(reading, block.id, depth + 1)
  }
}
