import { generateNKeysBetween } from 'fractional-indexing'
import { memberOf } from '../domain/actor.ts'
import { loadDataSources } from '../domain/data_sources/load.ts'
import { insertRowValues } from '../domain/rows/write.ts'
import type { WriteScope } from '../domain/scope.ts'
import { Cursors, ListCursors } from '../kernel/cursors.ts'
import { FileLinks } from '../kernel/file_links.ts'
import { insertBlocks, lastRank, type Block } from '../store/blocks.ts'
import { addToRowCount, insertDataSource, takeNumbers } from '../store/data_sources.ts'
import { insertDatabase } from '../store/databases.ts'
import type { Transaction } from '../store/database.ts'
import { insertPage } from '../store/pages.ts'
import { jobColumns, partColumns, sampleRows, type SampleRow } from './sample_columns.ts'
import { story } from './story.ts'

/** The data sources of the demo workspace's databases, whose blocks are there, with a few rows. */
export async function insertSampleDatabases(db: Transaction, workspaceId: string, now: number): Promise<void> {
  const plain = { icon: null, cover: null, isInline: false, isLocked: false }
  await insertDatabase(db, workspaceId, story.repairLog, { ...plain, description: [], sharesWords: false })
  const sources = [
    { id: story.dataSources.repairJobs, title: 'Repair jobs', properties: jobColumns },
    { id: story.dataSources.spareParts, title: 'Spare parts', properties: partColumns },
  ]
  const ranks = generateNKeysBetween(null, null, sources.length)
  const created = { createdTime: now, createdBy: story.people[0].id }
  for (const [index, { id, title, properties }] of sources.entries()) {
    const place = { parentType: 'database_id', parentId: story.repairLog, pageId: null, rank: ranks[index] ?? '' } as const
    await insertBlocks(db, workspaceId, [{ id, type: 'data_source', ...place, content: { title: textOf(title) }, ...created }])
    await insertDataSource(db, workspaceId, id, { description: [], icon: null, properties, retired: [] })
  }
  for (const row of sampleRows) await insertSampleRow(scopeOf(db, workspaceId, now), row)
  await takeNumbers(db, workspaceId, story.dataSources.repairJobs, 2)
}

function textOf(content: string): object[] {
  return [{ type: 'text', text: { content } }]
}

/** As if the owner of the workspace did it. Nothing of it answers anybody, so neither cursors nor links need a secret. */
function scopeOf(db: Transaction, workspaceId: string, now: number): WriteScope {
  const cursors = new ListCursors(new Cursors(Buffer.alloc(32)), [], () => [], now)
  const files = { bytesMax: 0, links: new FileLinks(Buffer.alloc(32)) }
  return { db, actor: memberOf(workspaceId, story.people[0].id, 'owner'), now, baseUrl: '', cursors, version: '', files }
}

async function insertSampleRow(scope: WriteScope, { id, dataSourceId, title, values }: SampleRow): Promise<void> {
  const { db, actor, now } = scope
  const { workspaceId, userId } = actor
  const [rank = ''] = generateNKeysBetween(await lastRank(db, workspaceId, dataSourceId), null, 1)
  const place = { parentType: 'data_source_id', parentId: dataSourceId, pageId: null, rank } as const
  const made = { id, type: 'child_page', ...place, content: { title: textOf(title) }, createdTime: now, createdBy: userId }
  const block: Block = { ...made, inTrash: false, hasChildren: false, lastEditedTime: now, lastEditedBy: userId }
  await insertBlocks(db, workspaceId, [made])
  await insertPage(db, workspaceId, id, { icon: null, cover: null, isLocked: false, isArchived: false })
  const dataSource = (await loadDataSources(scope, [dataSourceId])).get(dataSourceId)
  if (!dataSource) throw new Error(`no data source ${dataSourceId}`)
  await insertRowValues(scope, dataSource, block, values)
  await addToRowCount(db, workspaceId, dataSourceId, 1)
}
