import type { DatabaseObject, PartialDatabase, RichTextItem } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { idsOf, undashed } from '../../../kernel/ids.ts'
import type { Block } from '../../../store/blocks.ts'
import { listDataSources } from '../../../store/data_sources.ts'
import { findDatabases, type DatabaseDetails } from '../../../store/databases.ts'
import {
  requireVisible,
  presentParent,
  presentCover,
  presentIcon,
  gatherFacts,
  plainText,
  presentRichText,
  fullAnnotations,
  joinedNames,
  NEW_DATABASE,
  type StoredCover,
  type StoredIcon,
  type Facts,
  type StoredRichText,
} from '../../content/index.ts'
import type { Scope } from '../../shared/index.ts'
import { reportDamage } from '../../../store/stored/damage.ts'

/**
 * A database as it is visible to the caller, whether or not it is in the trash: complete with the read-content capability, otherwise
 * only its id.
 */
export async function retrieveDatabase(scope: Scope, id: string): Promise<DatabaseObject | PartialDatabase> {
  const block = await requireVisible(scope, id, 'database')
  if (!scope.actor.capabilities.has('read_content')) return { object: 'database', id: block.id }
  const [database] = await presentDatabases(scope, [block])
  return database ?? { object: 'database', id: block.id }
}

/** Default details for a database whose own row is missing because of damage. */
function plainDetails(id: string): DatabaseDetails {
  reportDamage({ place: 'databases', id, expected: 'a row with this id' })
  return { description: [], icon: null, cover: null, isInline: false, isLocked: false, sharesWords: false }
}

/** Complete databases in the given order. */
export async function presentDatabases(scope: Scope, blocks: readonly Block[]): Promise<DatabaseObject[]> {
  const { workspaceId } = scope.actor
  const ids = idsOf(blocks)
  const [details, sources] = [await findDatabases(scope.db, workspaceId, ids), await listDataSources(scope.db, workspaceId, ids)]
  const facts = await gatherFacts(scope, [
    ...blocks.map(({ content }) => content['title']),
    ...sources.map(({ title }) => title),
    ...[...details.values()].flatMap(({ description, icon, cover }) => [description, icon, cover]),
  ])
  return blocks.map((block) => {
    const own = details.get(block.id) ?? plainDetails(block.id)
    const listed = sources.filter(({ databaseId, inTrash }) => databaseId === block.id && (block.inTrash || !inTrash))
    const dataSources = listed.map(({ id, title }) => ({ id, name: plainText(title as StoredRichText, facts) || NEW_DATABASE }))
    return {
      object: 'database',
      id: block.id,
      title: presentTitle(block, dataSources, facts),
      description: presentRichText(own.description as StoredRichText, facts),
      parent: presentParent(block),
      is_inline: own.isInline,
      in_trash: block.inTrash,
      is_locked: own.isLocked,
      created_time: toTimestamp(block.createdTime),
      last_edited_time: toTimestamp(block.lastEditedTime),
      data_sources: dataSources,
      icon: presentIcon(own.icon as StoredIcon | null, facts),
      cover: presentCover(own.cover as StoredCover | null, facts),
      url: `${scope.baseUrl}/${undashed(block.id)}`,
      public_url: null,
    } as DatabaseObject
  })
}

/** The title, or the displayed name of a database without a title. */
function presentTitle(block: Block, dataSources: readonly { readonly name: string }[], facts: Facts): RichTextItem[] {
  const title = presentRichText(block.content['title'] as StoredRichText, facts)
  if (title.some((item) => item.plain_text !== '')) return title
  const content = joinedNames(dataSources.map(({ name }) => name))
  return [
    { type: 'text', text: { content, link: null }, annotations: fullAnnotations(undefined), plain_text: content, href: null },
  ]
}
