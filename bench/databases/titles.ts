import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { insertBlocks, type NewBlock } from '../../server/store/blocks.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { bar } from '../progress.ts'

/** Ids and places to search in. */
export interface TitleSample {
  /** Contains a hundred pages. */
  readonly smallTree: string
  /** Contains a tenth of all pages. */
  readonly largeTree: string
}

const PAGES_AT_ONCE = 2_000
const FANOUT = 100
const LARGE_PLACES = 10
const START_TIME = Date.parse('2024-01-01T00:00:00Z')
/** Coprime to any number of pages, so that edits are spread over the whole tree. */
const STRIDE = 700_001

/** Every title contains `survey` and a number of its own, one in twenty `oak`, one in a hundred 港口. The oldest pages contain `archived`. */
function titleOf(number: number, parent: number, count: number): string {
  const words = ['Survey of hull', String(number)]
  if (number % 20 === 0) words.push('oak')
  if (number % 100 === 0) words.push('港口安全手册')
  if (parent < count / 100) words.push('archived')
  return words.join(' ')
}

/** Fills a database with pages, directly through the store: through the service it would take an hour. */
export async function fillTitles(url: string, count: number, label: string): Promise<TitleSample> {
  const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
  try {
    const top = await insert(database, [pageBlock(undefined, 0, 'Everything', START_TIME)])
    const large = await insert(
      database,
      Array.from({ length: LARGE_PLACES }, (_, index) => pageBlock(top[0], index, `Yard ${index}`, START_TIME)),
    )
    const small: string[] = []
    let blocks: NewBlock[] = []
    for (let number = 0; number < count; number += 1) {
      const folder = Math.floor(number / FANOUT)
      if (number % FANOUT === 0) {
        small.push(...(await insert(database, [pageBlock(large[folder % LARGE_PLACES], folder, `Folder ${folder}`, START_TIME)])))
      }
      const parent = (number * STRIDE) % count
      blocks.push(pageBlock(small[folder], number, titleOf(number, parent, count), START_TIME + parent * 60_000))
      if (blocks.length === PAGES_AT_ONCE || number === count - 1) {
        await insert(database, blocks)
        blocks = []
        bar(`filling ${label}`, (number + 1) / count)
      }
    }
    return { smallTree: small[Math.floor(small.length / 2)] ?? '', largeTree: large[0] ?? '' }
  } finally {
    await database.close()
  }
}

function pageBlock(parent: string | undefined, number: number, title: string, time: number): NewBlock {
  return {
    id: randomUUID(),
    type: 'child_page',
    parentType: parent === undefined ? 'workspace' : 'page_id',
    parentId: parent ?? exampleWorkspace.workspace.id,
    pageId: parent ?? null,
    rank: `b${String(number).padStart(9, '0')}V`,
    content: { title: [{ type: 'text', text: { content: title } }] },
    createdTime: time,
    createdBy: exampleWorkspace.bot.id,
  }
}

/** @returns ids in their order */
async function insert(database: Database, blocks: readonly NewBlock[]): Promise<string[]> {
  await database.write(async (db) => {
    await insertBlocks(db, exampleWorkspace.workspace.id, blocks)
    await db.insert({
      table: 'pages',
      columns: ['workspace_id', 'id', 'is_locked', 'is_archived'],
      rows: blocks.map(({ id }) => [exampleWorkspace.workspace.id, id, 0, 0]),
    })
  }, exampleWorkspace.workspace.id)
  return blocks.map(({ id }) => id)
}
