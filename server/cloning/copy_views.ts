import { sendOrLeaveOut, refusalOf, type CloneParts, type Values } from './clone_parts.ts'
import { firstSourceOf } from './make_records.ts'
import { isObject } from '../kernel/is_object.ts'

/** Copies the views of databases under their ids, and removes the view that each new database begins with. */
export async function copyViews(parts: CloneParts): Promise<void> {
  const { progress, target } = parts
  for await (const record of progress.records()) {
    if (record['object'] !== 'database') continue
    const id = String(record['id'])
    const step = `views ${id}`
    if (progress.isDone(step)) continue
    const first = await viewsOf(parts, id)
    if (await copyViewsOf(parts, { id, firstSourceId: firstSourceOf(record) }))
      for (const viewId of first) await target.send('deleteView', { path: { view_id: viewId } })
    progress.note(step)
  }
}

/** The views that a database of the clone has by itself. A clone that is resumed must not count its own. */
async function viewsOf({ target, progress }: CloneParts, databaseId: string): Promise<string[]> {
  const step = `first views ${databaseId}`
  const known = progress.valueOf(step)
  if (known !== undefined) return known.split(' ').filter(Boolean)
  const { results } = await target.send('listDatabaseViews', { query: { database_id: databaseId } })
  const ids = (Array.isArray(results) ? results : []).filter(isObject).map((view) => String(view['id']))
  progress.note(step, ids.join(' '))
  return ids
}

/** A dashboard needs a data source, but reads back without one. */
interface Tabs {
  readonly id: string
  readonly firstSourceId: string
}

/** @returns whether any view was copied */
async function copyViewsOf(parts: CloneParts, { id: databaseId, firstSourceId }: Tabs): Promise<boolean> {
  const { source, progress } = parts
  let isAny = false
  try {
    for await (const { id } of source.each('listDatabaseViews', { query: { database_id: databaseId } })) {
      const view: Values = await source.retrieveView({ path: { view_id: id } })
      const isTaken = await copyView(parts, view, { database_id: databaseId }, firstSourceId)
      isAny ||= isTaken
      if (isTaken) await copyWidgets(parts, view)
    }
  } catch (error) {
    if (!isNotServed(error)) throw error
    progress.leaveOut('views', databaseId, 'The server does not serve views to this token.')
  }
  return isAny
}

async function copyWidgets(parts: CloneParts, { id, configuration }: Values): Promise<void> {
  const rows = isObject(configuration) && Array.isArray(configuration['rows']) ? configuration['rows'].filter(isObject) : []
  for (const [index, { widgets }] of rows.entries()) {
    for (const [column, widget] of (Array.isArray(widgets) ? widgets.filter(isObject) : []).entries()) {
      const view: Values = await parts.source.retrieveView({ path: { view_id: String(widget['view_id']) } })
      const type = column === 0 ? 'new_row' : 'existing_row'
      await copyView(parts, view, { view_id: id, placement: { type, row_index: index } })
    }
  }
}

async function copyView(parts: CloneParts, view: Values, place: Values, sourceId = ''): Promise<boolean> {
  const { form, rewriter } = parts
  const id = String(view['id'])
  const dataSourceId = String(view['data_source_id'] ?? sourceId)
  const ids = await propertyIds(parts, dataSourceId)
  const { filter, sorts, quick_filters: quickFilters, configuration, name, type } = view
  const wanted = {
    ...place,
    data_source_id: dataSourceId,
    name,
    type,
    ...(filter !== null && { filter }),
    ...(sorts !== null && { sorts }),
    ...(quickFilters !== null && { quick_filters: quickFilters }),
    ...(type !== 'dashboard' && { configuration }),
  }
  const body = form.of('ViewCreateRequest', await rewriter.rewrite(renamed(wanted, ids)))
  return sendOrLeaveOut(parts, `view ${id}`, 'createView', { body, ids: { view: [id] } }, 'view', id)
}

/** The ids of properties in the clone, by those in the source. */
async function propertyIds({ source, target }: CloneParts, dataSourceId: string): Promise<ReadonlyMap<string, string>> {
  try {
    const path = { data_source_id: dataSourceId }
    const [there, here] = [await source.retrieveDataSource({ path }), await target.send('retrieveDataSource', { path })]
    const made = isObject(here['properties']) ? here['properties'] : {}
    const ids = new Map<string, string>()
    for (const [name, { id }] of Object.entries('properties' in there ? there.properties : {})) {
      const own = made[name]
      if (isObject(own)) for (const spelling of [id, decoded(id)]) ids.set(spelling, String(own['id']))
    }
    return ids
  } catch (error) {
    refusalOf(error)
    return new Map()
  }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** The same value, with ids of properties replaced wherever they stand alone. */
function renamed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => renamed(item, ids))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [ids.get(key) ?? key, renamed(member, ids)]))
}

/** Whether a server refuses an operation as a whole, as older servers of the protocol do. */
export function isNotServed(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return status === 400 || status === 403 || status === 404
}
