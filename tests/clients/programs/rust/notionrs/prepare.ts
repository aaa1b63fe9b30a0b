import { at, idOf, parseObject, resultsOf, textAt, type JsonObject } from '../../../../harness/json.ts'
import type { ServiceProcess } from '../../../service.ts'
import { HANDBOOK } from '../../program.ts'

/** Columns that the suite reads, by the columns of the sample workspace that replace them. */
const COLUMNS = {
  Job: 'My Title',
  Notes: 'Text',
  Guide: 'URL',
  Priority: 'API Type',
  Skills: 'Multi-select',
  Approved: 'Checkbox',
  Due: 'My Date',
  Owner: 'User',
  'Supplier phone': 'Phone Number',
  Photos: 'Files & media',
  Cost: 'Number',
  Boat: 'Related Read-only: Integration Test',
  'Boat launch': 'Rollup',
  Dock: 'Place',
  Created: 'Created time',
  Edited: 'Updated time',
  'Edited by': 'Last edited by',
  Ticket: 'ID',
} as const

/** Columns of the sample workspace whose types the client does not know: it cannot read tables with them. */
const UNKNOWN = ['Site', 'Last visit']

/** Columns that the suite filters by: options, and a rollup of texts. */
const FILTERED = {
  'API Type': { select: { options: [{ name: 'Page' }, { name: 'Block' }] } },
  'Multi-select': { multi_select: { options: [{ name: 'Something' }, { name: 'Another thing' }] } },
  Rollup: { rollup: { relation_property_name: COLUMNS.Boat, rollup_property_name: 'Boat', function: 'show_original' } },
}

/** The suite reads pages that its authors have prepared, with one block of each kind, a comment, a table and a view. */
export async function prepareNotionrs(service: ServiceProcess): Promise<Record<string, string>> {
  const call = caller(service)
  const parent = { page_id: HANDBOOK }
  const page = await call('POST', 'pages', { parent, properties: { title: [{ text: { content: 'Prepared' } }] } })
  const rich_text = [{ text: { content: 'Prepared for the suite' } }]
  await call('PATCH', `blocks/${idOf(page)}/children`, { children: blocks(rich_text) })
  await call('POST', 'comments', { parent: { page_id: idOf(page) }, rich_text })
  const found = await call('POST', 'search', { query: 'Repair jobs', filter: { property: 'object', value: 'data_source' } })
  const source = textAt(found, 'results', 0, 'id')
  await renameColumns(call, source)
  const views = await call('GET', `views?data_source_id=${source}`)
  return {
    SUITE_PAGE_ID: idOf(page),
    SUITE_DATA_SOURCE_ID: source,
    SUITE_DATABASE_ID: textAt(found, 'results', 0, 'parent', 'database_id'),
    SUITE_VIEW_ID: idOf(resultsOf(views)[0]),
  }
}

type Call = (method: string, path: string, body?: object) => Promise<JsonObject>

function caller({ url, token }: ServiceProcess): Call {
  const headers = { Authorization: `Bearer ${token}`, 'Notion-Version': '2026-03-11', 'Content-Type': 'application/json' }
  return async (method, path, body) => {
    const response = await fetch(`${url}/v1/${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return parseObject(text)
  }
}

async function renameColumns(call: Call, source: string): Promise<void> {
  const renamed = Object.fromEntries(Object.entries(COLUMNS).map(([from, name]) => [from, { name }]))
  const removed = Object.fromEntries(UNKNOWN.map((name) => [name, null]))
  const back = { 'Related back to Read-only: Integration Test': { relation: { data_source_id: source, single_property: {} } } }
  const changed = await call('PATCH', `data_sources/${source}`, { properties: { ...renamed, ...removed, ...back } })
  await call('PATCH', `data_sources/${source}`, { properties: FILTERED })
  const missing = Object.values(COLUMNS).filter((name) => at(changed, 'properties', name) === undefined)
  if (missing.length > 0) throw new Error(`the sample workspace has no ${missing.join(', ')}`)
}

function blocks(rich_text: readonly object[]): object[] {
  const children = [{ paragraph: { rich_text } }]
  const texts = [
    'paragraph',
    'heading_1',
    'heading_2',
    'heading_3',
    'heading_4',
    'quote',
    'bulleted_list_item',
    'numbered_list_item',
    'to_do',
  ]
  return [
    ...texts.map((type) => ({ [type]: { rich_text } })),
    { callout: { rich_text, icon: { emoji: '⚓' } } },
    { code: { rich_text, language: 'rust' } },
    { toggle: { rich_text, children } },
    { equation: { expression: 'e = mc^2' } },
    { breadcrumb: {} },
    { divider: {} },
    { table_of_contents: {} },
    { bookmark: { url: 'https://planner.example/' } },
    { embed: { url: 'https://planner.example/' } },
    { audio: { type: 'external', external: { url: 'https://planner.example/horn.mp3' } } },
    { synced_block: { synced_from: null, children } },
    { table: { table_width: 1, children: [{ table_row: { cells: [rich_text] } }] } },
    { column_list: { children: [0.25, 0.75].map((width_ratio) => ({ column: { children, width_ratio } })) } },
    { tab: { children: [{ paragraph: { rich_text } }] } },
  ]
}
