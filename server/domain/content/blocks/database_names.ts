import { listDataSources } from '../../../store/data_sources.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { plainText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import type { Scope } from '../../shared/index.ts'

/** The displayed name of a data source without a title. */
export const NEW_DATABASE = 'New database'

/** The displayed name of a database without a title: the names of its data sources. */
export function joinedNames(names: readonly string[]): string {
  return names.length === 0 ? 'Untitled' : names.join(' and ').slice(0, 2000)
}

/** The displayed names of databases without titles, by id. */
export async function placeholderNames(scope: Scope, databaseIds: readonly string[]): Promise<Map<string, string>> {
  if (databaseIds.length === 0) return new Map()
  const sources = (await listDataSources(scope.db, scope.actor.workspaceId, databaseIds)).filter(({ inTrash }) => !inTrash)
  const titles = sources.map(({ title }) => title)
  const facts = await gatherFacts(scope, titles)
  const bySource = Map.groupBy(sources, ({ databaseId }) => databaseId)
  const nameOf = ({ title }: (typeof sources)[number]): string => plainText(title as StoredRichText, facts) || NEW_DATABASE
  return new Map(databaseIds.map((id) => [id, joinedNames((bySource.get(id) ?? []).map(nameOf))]))
}
