import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { cellKeysOf } from '../../server/domain/data/property_types/index.ts'
import { insertBlocks, type NewBlock } from '../../server/store/blocks.ts'
import { insertCells } from '../../server/store/cells.ts'
import { addToRowCount } from '../../server/store/data_sources.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { bar } from '../progress.ts'
import { createDatabase, createPage, type MadeColumn } from './api.ts'

/** A data source of many rows, and ids to use in requests. */
export interface RowSample {
  readonly dataSourceId: string
  readonly rows: readonly string[]
  /** Pages without columns. */
  readonly pages: readonly string[]
}

const ROWS_AT_ONCE = 2_000
/** Few enough changes that SQLite does not restart its log between them. */
const SAMPLES = 100
const START_TIME = Date.parse('2024-01-01T00:00:00Z')
/** Coprime to any number of rows, so that titles are spread over all rows. */
const STRIDE = 700_001

/** Ten stages, hours from 0 to 99, and timestamps that few rows share. The columns are independent of each other. */
const STAGES = 10

/** Fills a data source with rows, directly through the store. @param url of the database @param serviceUrl of a service that runs on it */
export async function fillRows(url: string, serviceUrl: string, count: number, label: string): Promise<RowSample> {
  const parent = await createPage(serviceUrl, { properties: { title: { title: [{ text: { content: 'Boatyard' } }] } } })
  const pages: string[] = []
  for (let number = 0; number < SAMPLES; number += 1) {
    const title = [{ text: { content: `Note ${number}` } }]
    pages.push(await createPage(serviceUrl, { parent: { page_id: parent }, properties: { title: { title } } }))
  }
  const { dataSourceId, columns } = await createDatabase(serviceUrl, {
    parent: { page_id: parent },
    initial_data_source: {
      properties: {
        Name: { title: {} },
        Stage: { select: { options: Array.from({ length: STAGES }, (_, index) => ({ name: `Stage ${index}` })) } },
        Hours: { number: {} },
        Due: { date: {} },
        Done: { checkbox: {} },
        Note: { rich_text: {} },
      },
    },
  })
  const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
  const rows: string[] = []
  try {
    for (let number = 0; number < count; number += ROWS_AT_ONCE) {
      const made = Array.from({ length: Math.min(ROWS_AT_ONCE, count - number) }, (_, index) =>
        makeRow(columns, number + index, count),
      )
      rows.push(...(await insertRows(database, dataSourceId, made)).slice(0, Math.ceil((SAMPLES * ROWS_AT_ONCE) / count)))
      bar(`filling ${label}`, Math.min(1, (number + ROWS_AT_ONCE) / count))
    }
  } finally {
    await database.close()
  }
  return { dataSourceId, rows: rows.slice(0, SAMPLES), pages }
}

interface MadeRow {
  readonly title: string
  readonly createdTime: number
  readonly values: readonly { readonly column: MadeColumn; readonly stored: unknown }[]
}

function makeRow(columns: Readonly<Record<string, MadeColumn>>, number: number, count: number): MadeRow {
  const one = (number * STRIDE) % count
  const stage = columns['Stage']?.options[mixed(number, 1, STAGES)]
  const minute = mixed(number, 3, count)
  const stored: Record<string, unknown> = {
    Stage: stage,
    Hours: mixed(number, 2, 100),
    Due: { start: new Date(START_TIME + minute * 60_000).toISOString().replace('Z', '+00:00'), end: null, time_zone: null },
    Done: mixed(number, 4, 2) === 0 ? true : undefined,
    Note: [{ type: 'text', text: { content: `Planking and caulking of hull ${one} looked at` } }],
  }
  return {
    title: `Job ${one}`,
    createdTime: START_TIME + number,
    values: Object.entries(stored).flatMap(([name, value]) => {
      const column = columns[name]
      return column && value !== undefined ? [{ column, stored: value }] : []
    }),
  }
}

/** A pseudo-random value below `range`, the same in every run. Each salt gives a different sequence. */
function mixed(number: number, salt: number, range: number): number {
  let bits = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b)
  return ((bits ^ (bits >>> 16)) >>> 0) % range
}

/** @returns ids in their order */
async function insertRows(database: Database, dataSourceId: string, rows: readonly MadeRow[]): Promise<string[]> {
  const blocks = rows.map(({ title, createdTime }): NewBlock => ({
    id: randomUUID(),
    type: 'child_page',
    parentType: 'data_source_id',
    parentId: dataSourceId,
    pageId: null,
    rank: `b${createdTime}V`,
    content: { title: [{ type: 'text', text: { content: title } }] },
    createdTime,
    createdBy: exampleWorkspace.bot.id,
  }))
  const cells = rows.flatMap(({ title, createdTime, values }, index) => {
    const owner = { pageId: blocks[index]?.id ?? '', dataSourceId, inTrash: false, createdTime }
    const titleValue = { column: { id: 'title', type: 'title' as const }, stored: [{ type: 'text', text: { content: title } }] }
    return [titleValue, ...values].flatMap(({ column, stored }) =>
      cellKeysOf(column.type, stored).map((key, position) => ({ owner, cell: { ...key, propertyId: column.id, position } })),
    )
  })
  const { id: workspaceId } = exampleWorkspace.workspace
  await database.write(async (db) => {
    await insertBlocks(db, workspaceId, blocks)
    await db.insert({
      table: 'pages',
      columns: ['workspace_id', 'id', 'is_locked', 'is_archived', 'row_values'],
      rows: blocks.map(({ id }, index) => [
        workspaceId,
        id,
        0,
        0,
        JSON.stringify(Object.fromEntries(rows[index]?.values.map(({ column, stored }) => [column.id, stored]) ?? [])),
      ]),
    })
    await insertCells(db, workspaceId, cells)
    await addToRowCount(db, workspaceId, dataSourceId, blocks.length)
  }, workspaceId)
  return blocks.map(({ id }) => id)
}
