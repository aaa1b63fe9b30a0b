import type { RelationConfigUpdateRequest } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { findById, type RelationProperty } from '../properties/stored.ts'
import { storedLinks } from '../properties/stored_values.ts'
import { addLink, allLinks } from '../rows/links.ts'
import { emptyColumn, pageRuns } from './convert_rows.ts'
import { pair, requireDatabaseOf, unpair, withoutBlanks } from './relations.ts'
import type { SchemaSession } from './schema_session.ts'

/** Changes the target of a relation, or whether it is two-way. Its id stays. @param work collects the changes to the rows */
export async function changeRelation(
  session: SchemaSession,
  before: RelationProperty,
  request: RelationConfigUpdateRequest,
  path: string,
  work: (() => Promise<void>)[],
): Promise<void> {
  const { scope, draft } = session
  const targetId = request.data_source_id === undefined ? before.dataSourceId : canonicalId(request.data_source_id)
  const opposite = 'dual_property' in request ? withoutBlanks(request.dual_property ?? {}) : undefined
  await requireDatabaseOf(scope, targetId, request.database_id, `${path}.database_id`)
  const { syncedId, ...single } = before
  if (targetId !== before.dataSourceId) {
    const target = await session.open(targetId)
    await unpair(session, before)
    const moved: RelationProperty = { ...single, dataSourceId: target.id }
    session.put(moved)
    const staysTwoWay = syncedId !== undefined && !('single_property' in request)
    if (opposite || staysTwoWay) await pair(session, moved, opposite ?? {}, `${path}.dual_property`)
    work.push(() => emptyColumn(scope, draft.id, moved))
    return
  }
  if ('single_property' in request) {
    await unpair(session, before)
    session.put(single)
  }
  if (!opposite) return
  const wantsOther = opposite.synced_property_id !== undefined && opposite.synced_property_id !== syncedId
  if (syncedId !== undefined && !wantsOther) return renameOpposite(session, before, syncedId, opposite.synced_property_name, path)
  await unpair(session, before)
  const paired = await pair(session, single, opposite, `${path}.dual_property`)
  work.push(() => fillOpposites(scope, draft.id, paired))
}

async function renameOpposite(
  session: SchemaSession,
  { dataSourceId }: RelationProperty,
  syncedId: string,
  name: string | undefined,
  path: string,
): Promise<void> {
  if (name === undefined) return
  const target = await session.openToChange(dataSourceId)
  const opposite = findById(target.properties, syncedId)
  if (!opposite || opposite.name === name) return
  if (target.properties.some((property) => property.name === name)) {
    throw invalid(`${path}.dual_property.synced_property_name`, 'should be a name that no other property of the target has')
  }
  session.put({ ...opposite, name }, target)
}

/** Fills two relations that have become the opposite sides of each other: each receives the links that only the other one has. */
export async function fillOpposites(scope: WriteScope, dataSourceId: string, relation: RelationProperty): Promise<void> {
  const { syncedId } = relation
  if (syncedId === undefined) return
  await addOppositeLinks(scope, dataSourceId, relation.id, syncedId)
  await addOppositeLinks(scope, relation.dataSourceId, syncedId, relation.id)
}

/** Adds the links of the opposite relation. */
async function addOppositeLinks(scope: WriteScope, dataSourceId: string, fromId: string, toId: string): Promise<void> {
  for await (const { documents } of pageRuns(scope, dataSourceId)) {
    for (const [id, values] of documents) {
      const links = storedLinks(values[fromId])
      if (links.ids.length === 0) continue
      await addLink(scope, links.more ? await allLinks(scope, id, fromId) : links.ids, toId, id)
    }
  }
}
