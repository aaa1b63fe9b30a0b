import { yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import { listContent, type PlacedContent } from '../../../store/placed_content.ts'
import { definitionOf, isPageOrDatabase } from '../../content/index.ts'
import type { Scope } from '../../shared/index.ts'
import type { Reach } from './reach.ts'
import { factsInReach } from './titles.ts'

/** The remaining reading budget. Reading a page reduces it, so that several pages can share one. */
export interface ReadingBudget {
  blocks: number
  characters: number
  /** Queries for the children of a block. */
  lists: number
}

export interface PageText {
  /** The texts of the blocks, in the order of the page. */
  readonly texts: readonly string[]
  /** Whether the budget was sufficient for everything. */
  readonly isWhole: boolean
}

const BLOCKS_AT_ONCE = 100
const DEPTH_MAX = 20

/**
 * The text of a page, including nested blocks. The content of pages and databases on it is not read; neither is the content of mirrors,
 * whose originals may be on pages that the agent may not read.
 * @param namesOthers whether to include the names of pages and databases on it, and of the pages that it links to, if the agent may read
 * them
 */
export async function readPageText(
  scope: Scope,
  reach: Reach,
  pageId: string,
  budget: ReadingBudget,
  namesOthers: boolean,
): Promise<PageText> {
  const reading: Reading = { scope, reach, budget, namesOthers, texts: [], isWhole: true }
  await readBelow(reading, pageId, 1)
  return reading
}

interface Reading {
  readonly scope: Scope
  readonly reach: Reach
  readonly budget: ReadingBudget
  readonly namesOthers: boolean
  readonly texts: string[]
  isWhole: boolean
}

async function readBelow(reading: Reading, parentId: string, depth: number): Promise<void> {
  const { scope, budget } = reading
  for (let after: string | undefined; ;) {
    if (budget.blocks <= 0 || budget.characters <= 0 || budget.lists <= 0 || depth > DEPTH_MAX) {
      reading.isWhole = false
      return
    }
    const limit = Math.min(BLOCKS_AT_ONCE, budget.blocks)
    budget.lists -= 1
    const blocks = await listContent(scope.db, scope.actor.workspaceId, parentId, after, limit)
    budget.blocks -= blocks.length
    await readBlocks(reading, blocks, depth)
    after = blocks.at(-1)?.rank
    if (blocks.length < limit || after === undefined) return
  }
}

async function readBlocks(reading: Reading, blocks: readonly PlacedContent[], depth: number): Promise<void> {
  const { scope, reach, budget } = reading
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
    // A text that exceeds the budget ends the reading of this page and of all others.
    if (text.length > budget.characters) reading.isWhole = false
    else if (text !== '') reading.texts.push(text)
    budget.characters -= text.length
    if (budget.characters < 0) return
    if (block.hasChildren && !isPageOrDatabase(block)) await readBelow(reading, block.id, depth + 1)
  }
}
