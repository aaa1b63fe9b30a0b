import { generateNKeysBetween } from 'fractional-indexing'
import { insertBlocks } from '../store/blocks.ts'
import { insertDataSource } from '../store/data_sources.ts'
import { insertDatabase } from '../store/databases.ts'
import type { Transaction } from '../store/database.ts'
import { story } from './story.ts'

/** The data sources of the demo workspace's databases, whose blocks are there. */
export async function insertSampleDatabases(db: Transaction, workspaceId: string, now: number): Promise<void> {
  const plain = { icon: null, cover: null, isInline: false, isLocked: false }
  await insertDatabase(db, workspaceId, story.repairLog, { ...plain, description: [], sharesWords: false })
  const sources = [
    { id: story.dataSources.repairJobs, title: 'Repair jobs', column: 'Job' },
    { id: story.dataSources.spareParts, title: 'Spare parts', column: 'Part' },
  ]
  const ranks = generateNKeysBetween(null, null, sources.length)
  for (const [index, { id, title, column }] of sources.entries()) {
    await insertBlocks(db, workspaceId, [
      {
        id,
        type: 'data_source',
        parentType: 'database_id',
        parentId: story.repairLog,
        pageId: null,
        rank: ranks[index] ?? '',
        content: { title: [{ type: 'text', text: { content: title } }] },
        createdTime: now,
        createdBy: story.people[0].id,
      },
    ])
    const properties = [{ id: 'title', name: column, description: null, type: 'title' }]
    await insertDataSource(db, workspaceId, id, { description: [], icon: null, properties, retired: [] })
  }
}
