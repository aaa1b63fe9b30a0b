import { visibleAmong } from '../../../store/access.ts'
import type { Block } from '../../../store/blocks.ts'
import { findRowValues } from '../../../store/row_values.ts'
import { dataSourceOfRow, hasColumns } from '../data_sources/load.ts'
import { findProperty, type StoredProperty } from '../properties/stored.ts'
import { storedLinks } from '../properties/stored_values.ts'
import { ValueNotes } from '../properties/value_notes.ts'
import { facetsOf } from '../property_types/index.ts'
import { ReferenceList, type StoredRichText } from '../../content/index.ts'
import type { Scope, WriteScope } from '../../shared/index.ts'
import { transferredValue } from './leave.ts'
import { updateRow } from './write.ts'

/**
 * Fills the empty title and values of a page from its template, except for those that the request has set. If the template belongs to
 * another data source, values are taken from columns of the same name and type.
 * @param sent keys of properties as the request wrote them
 * @param resolve substitutes the variables of the template
 */
export async function fillRow(
  scope: WriteScope,
  template: Block,
  page: Block,
  sent: readonly string[],
  resolve: (value: unknown) => unknown,
): Promise<void> {
  const dataSource = await dataSourceOfRow(scope, page)
  const columns = hasColumns(template) ? (await dataSourceOfRow(scope, template)).properties : []
  const documents = await findRowValues(scope.db, scope.actor.workspaceId, [page.id, template.id])
  const [own, theirs] = [documents.get(page.id) ?? {}, documents.get(template.id) ?? {}]
  const sentIds = new Set(sent.map((key) => findProperty(dataSource.properties, key)?.id))
  const byId = new Map<string, unknown>()
  for (const column of dataSource.properties) {
    if (sentIds.has(column.id) || !isOpen(column, own[column.id])) continue
    const value = await shown(scope, column, transferredValue(columns, theirs, column))
    if (value !== undefined) byId.set(column.id, resolve(value))
  }
  const title = page.content['title'] as StoredRichText
  const filled = sentIds.has('title') || title.length > 0 ? title : (resolve(template.content['title']) as StoredRichText)
  const notes = new ValueNotes(new ReferenceList(), scope.actor.userId)
  await updateRow(scope, dataSource, page, own, { title: filled, byId, notes })
}

/** Whether the template can provide the value of a column. */
function isOpen(column: StoredProperty, stored: unknown): boolean {
  const { isCopiedFromTemplate, initial } = facetsOf(column.type).value
  if (!isCopiedFromTemplate) return false
  return stored === undefined || (typeof initial === 'function' && stored === initial(column))
}

/** A value without links to pages that are not visible to the caller. */
async function shown({ db, actor }: Scope, column: StoredProperty, value: unknown): Promise<unknown> {
  if (column.type !== 'relation' || value === undefined) return value
  const { ids } = storedLinks(value)
  const visible = await visibleAmong(db, actor, ids)
  const kept = ids.filter((id) => visible.has(id))
  return kept.length > 0 ? { ids: kept } : undefined
}
