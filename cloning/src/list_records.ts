import type { CloneContext, Values } from './clone_context.ts'
import { parentOf } from './record_tree.ts'

/**
 * Lists everything that the token sees: the results of a search, the databases of their data sources, and the rows of these. The list is
 * kept in the progress folder, so a resumed clone does not read it again.
 * @param onCount called with the number of records so far
 */
export async function listRecords(context: CloneContext, onCount: (count: number) => void): Promise<void> {
  const { progress, tree } = context
  if (!progress.isDone('records')) {
    progress.emptyRecords()
    const seen = new Set<string>()
    const keep = (record: Values): void => {
      if (seen.has(String(record['id'])) || record['in_trash'] === true) return
      seen.add(String(record['id']))
      progress.addRecord(record)
      onCount(seen.size)
    }
    await readAll(context, keep)
    progress.note('records')
  }
  for await (const record of progress.records()) tree.add(record, await containerOf(context, record))
  for (const { id } of tree.cutRings())
    progress.leaveOut(
      'place of a page or database',
      id,
      'According to the server, it is inside itself. In the clone, it is at the top level.',
    )
}

async function readAll({ source }: CloneContext, keep: (record: Values) => void): Promise<void> {
  const dataSources: string[] = []
  const databases = new Set<string>()
  for await (const record of source.search()) {
    if (record.object === 'page') keep(record)
    else dataSources.push(record.id)
  }
  for (const id of dataSources) {
    const dataSource = await source.dataSources.retrieve({ data_source_id: id })
    const databaseId = parentOf(dataSource)?.id
    if (databaseId === undefined) continue
    if (!databases.has(databaseId)) keep(await source.databases.retrieve({ database_id: databaseId }))
    databases.add(databaseId)
    keep(dataSource)
    for await (const row of source.dataSources.query({ data_source_id: id })) keep(row)
  }
}

/** Blocks are never nested this deep. */
const BLOCKS_AROUND_MAX = 1_000

/** The page, database or data source that contains a record, which may be inside a block such as a toggle. */
async function containerOf({ source, progress }: CloneContext, record: Values): Promise<string | undefined> {
  let parent = parentOf(record)
  if (parent?.type !== 'block_id') return parent?.id
  const step = `place ${String(record['id'])}`
  const known = progress.valueOf(step)
  if (known !== undefined) return known
  const around = new Set<string>()
  while (parent?.type === 'block_id' && !around.has(parent.id) && around.size < BLOCKS_AROUND_MAX) {
    around.add(parent.id)
    parent = parentOf(await source.blocks.retrieve({ block_id: parent.id }))
  }
  if (parent) progress.note(step, parent.id)
  return parent?.id
}
