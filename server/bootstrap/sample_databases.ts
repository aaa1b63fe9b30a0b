import { generateNKeysBetween } from 'fractional-indexing'
import { memberOf, type WriteScope } from '../domain/shared/index.ts'
import { loadDataSources, insertRowValues, type DataSource, type StoredProperty } from '../domain/data/index.ts'
import { Cursors, ListCursors } from '../kernel/cursors.ts'
import { FileLinks } from '../kernel/file_links.ts'
import { insertBlocks } from '../store/blocks.ts'
import { addToRowCount, insertDataSource, allocateNumbers } from '../store/data_sources.ts'
import { insertDatabase } from '../store/databases.ts'
import type { Transaction } from '../store/database.ts'
import { insertPage } from '../store/pages.ts'
import { insertTemplate } from '../store/data_source_templates.ts'
import { lastRank } from '../store/sibling_ranks.ts'
import { sampleContent, type SampleRow } from './sample_content.ts'
import { exampleWorkspace } from './example_workspace.ts'

interface SampleSource {
  readonly id: string
  readonly databaseId: string
  readonly title: string
  readonly properties: readonly StoredProperty[]
  readonly rows: readonly SampleRow[]
}

const { boats, repairJobs, spareParts } = exampleWorkspace.dataSources

/** The sample data sources. Rows come after those that they refer to. */
function sampleSources(): readonly SampleSource[] {
  const [columns, rows] = [sampleContent('columns'), sampleContent('rows')]
  return (
    [
      ['boats', exampleWorkspace.boatRegister, 'Boats'],
      ['repairJobs', exampleWorkspace.repairLog, 'Repair jobs'],
      ['spareParts', exampleWorkspace.repairLog, 'Spare parts'],
    ] as const
  ).map(([name, databaseId, title]) => ({
    id: exampleWorkspace.dataSources[name],
    databaseId,
    title,
    properties: columns[name],
    rows: rows[name],
  }))
}

const HARBOUR = { type: 'external', external: { url: 'https://example.org/harbour.jpg' } }
const EVERY_BOAT = textOf('Every boat the yard looks after')

/** The databases of the demo workspace, whose blocks exist already: a tracker of boats, the jobs on them, and the parts for these jobs. */
export async function insertSampleDatabases(db: Transaction, workspaceId: string, now: number): Promise<void> {
  const plain = { description: [], icon: null, cover: null, isInline: false, isLocked: false, sharesWords: false }
  const ropeCoil = { type: 'custom_emoji', custom_emoji: { id: exampleWorkspace.emojis[0].id } }
  await insertDatabase(db, workspaceId, exampleWorkspace.boatRegister, {
    ...plain,
    description: EVERY_BOAT,
    icon: ropeCoil,
    cover: HARBOUR,
  })
  await insertDatabase(db, workspaceId, exampleWorkspace.repairLog, plain)
  await insertDatabase(db, workspaceId, exampleWorkspace.boatsInTheYard, { ...plain, isInline: true })
  const sources = sampleSources()
  const ranks = generateNKeysBetween(null, null, sources.length)
  const created = { createdTime: now, createdBy: exampleWorkspace.people[0].id }
  for (const [index, { id, databaseId, title, properties }] of sources.entries()) {
    const place = { parentType: 'database_id', parentId: databaseId, pageId: null, rank: ranks[index] ?? '' } as const
    await insertBlocks(db, workspaceId, [{ id, type: 'data_source', ...place, content: { title: textOf(title) }, ...created }])
    const shown =
      id === boats ? { description: EVERY_BOAT, icon: { type: 'emoji', emoji: '⛵' } } : { description: [], icon: null }
    await insertDataSource(db, workspaceId, id, { ...shown, properties, retired: [] })
  }
  const scope = scopeOf(db, workspaceId, now)
  const loaded = await loadDataSources(scope, [boats, repairJobs, spareParts])
  for (const { id, rows } of sources) await insertSampleRows(scope, loaded.get(id), rows)
  const { repairJobs: jobs, jobTemplates } = sampleContent('rows')
  await allocateNumbers(db, workspaceId, repairJobs, jobs.length)
  await insertSampleRows(scope, loaded.get(repairJobs), jobTemplates)
  for (const [index, { id }] of jobTemplates.entries())
    await insertTemplate(db, workspaceId, repairJobs, { id, isDefault: index === 0, createdTime: now + index })
}

function textOf(content: string): object[] {
  return [{ type: 'text', text: { content } }]
}

/** A scope in which the owner of the workspace acts. No response is sent, so neither cursors nor links need a secret. */
function scopeOf(db: Transaction, workspaceId: string, now: number): WriteScope {
  const cursors = new ListCursors(new Cursors(Buffer.alloc(32)), [], () => [], now)
  const files = { bytesMax: 0, links: new FileLinks(Buffer.alloc(32)), brand: 'Service' }
  return {
    db,
    actor: memberOf(workspaceId, exampleWorkspace.people[0].id, 'owner'),
    now,
    baseUrl: '',
    cursors,
    version: '',
    files,
  }
}

async function insertSampleRows(
  scope: WriteScope,
  dataSource: DataSource | undefined,
  rows: readonly SampleRow[],
): Promise<void> {
  const { db, actor, now } = scope
  const { workspaceId, userId } = actor
  if (!dataSource) throw new Error('a data source of the sample is missing')
  const ranks = generateNKeysBetween(await lastRank(db, workspaceId, dataSource.id), null, rows.length)
  const place = { parentType: 'data_source_id', parentId: dataSource.id, pageId: null } as const
  const blocks = rows.map(({ id, title }, index) => {
    const content = { title: textOf(title) }
    return { id, type: 'child_page', ...place, rank: ranks[index] ?? '', content, createdTime: now, createdBy: userId }
  })
  await insertBlocks(db, workspaceId, blocks)
  for (const [index, { id, values }] of rows.entries()) {
    await insertPage(db, workspaceId, id, { icon: null, cover: null, isLocked: false, isArchived: false })
    const block = blocks[index]
    const stored = { inTrash: false, hasChildren: false, lastEditedTime: now, lastEditedBy: userId }
    if (block) await insertRowValues(scope, dataSource, { ...block, ...stored }, values)
  }
  await addToRowCount(db, workspaceId, dataSource.id, rows.length)
}
