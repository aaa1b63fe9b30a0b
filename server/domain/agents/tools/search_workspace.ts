import { toTimestamp } from '../../../kernel/clock.ts'
import { yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import { TermCounter } from '../terms.ts'
import { listCandidates } from './candidates.ts'
import { readPageText, type ReadingBudget } from './page_text.ts'
import { bestFirst, passagesOf, scoreOf, type Passage } from './passages.ts'
import { readTool } from './tool.ts'
import { namePages, type NamedPage } from './titles.ts'

interface Arguments {
  readonly terms: readonly string[]
}

/** A page that contains some of the terms. */
interface FoundPassages extends NamedPage {
  readonly score: number
  readonly last_edited_time: string
  readonly passages: readonly Passage[]
}

export interface Findings {
  /** Best first. */
  readonly pages: readonly FoundPassages[]
  readonly pages_read: number
  /** False if there are more pages, or a page was too long to be read completely. */
  readonly is_complete: boolean
}

/**
 * How much one search reads, whatever the size of the workspace: the beginnings of pages whose titles contain a term, and of the pages
 * edited last.
 */
const WANTED = { titles: 50, recent: 150 } as const
const ROOM = { blocks: 6_000, characters: 2_000_000, lists: 1_000 } as const
const ROOM_OF_ONE = { blocks: 400, characters: 100_000, lists: 60 } as const
const PAGES_FOUND_MAX = 10

export const searchWorkspaceTool = readTool<Arguments>(
  {
    name: 'search_workspace',
    purpose: 'Finds pages that have some of the given words in their title or text, with the passages that have most of them.',
    capability: 'read_content',
    role: 'reader',
    parameters: {
      type: 'object',
      required: ['terms'],
      properties: {
        terms: {
          type: 'array',
          description: 'Single words. Case is ignored.',
          minItems: 1,
          maxItems: 32,
          items: { type: 'string', minLength: 1, maxLength: 200 },
        },
      },
      additionalProperties: false,
    },
  },
  async (scope, reach, { terms }) => {
    const counter = new TermCounter(terms)
    const { rows, ...candidates } = await listCandidates(scope, reach, terms.join(' '), WANTED)
    const ids = rows.map(({ id }) => id)
    const named = await namePages(scope, reach, ids)
    const remaining: ReadingBudget = { ...ROOM }
    let { isComplete } = candidates
    const found: FoundPassages[] = []
    for (const { id, time } of rows) {
      const page = named.get(id)
      if (!page) continue
      const budget = budgetForOne(remaining)
      const given = { ...budget }
      const { texts, isWhole } = await readPageText(scope, reach, id, budget, false)
      takeFrom(remaining, given, budget)
      isComplete &&= isWhole
      const score = scoreOf(counter, page.title, texts)
      if (score > 0)
        found.push({ ...page, score, last_edited_time: toTimestamp(time), passages: passagesOf(counter, page.title, texts) })
      await yieldToEventLoop()
    }
    const content: Findings = {
      pages: found.sort(bestFirst).slice(0, PAGES_FOUND_MAX),
      pages_read: rows.length,
      is_complete: isComplete,
    }
    return { isError: false, content }
  },
)

/** The part of the budget that one page may use. */
function budgetForOne(all: ReadingBudget): ReadingBudget {
  return {
    blocks: Math.min(all.blocks, ROOM_OF_ONE.blocks),
    characters: Math.min(all.characters, ROOM_OF_ONE.characters),
    lists: Math.min(all.lists, ROOM_OF_ONE.lists),
  }
}

/**
 * Subtracts what reading a page has used from the budget of all pages. @param given the budget of the page @param rest what remains of it
 */
function takeFrom(all: ReadingBudget, given: Readonly<ReadingBudget>, rest: Readonly<ReadingBudget>): void {
  all.blocks -= given.blocks - rest.blocks
  all.characters -= given.characters - rest.characters
  all.lists -= given.lists - rest.lists
}

/** Whether the result of a search contains findings rather than a refusal. */
export function isFindings(content: unknown): content is Findings {
  return typeof content === 'object' && content !== null && 'pages' in content && Array.isArray(content.pages)
}
