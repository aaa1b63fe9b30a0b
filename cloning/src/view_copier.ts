import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { percentDecoded } from '@workspace-service/server/kernel/urls.ts'
import { isNotServed, refusalOf, runStep, runOptionalStep, type CloneContext, type Values } from './clone_context.ts'
import { firstDataSourceId } from '@workspace-service/server/contract/copied_records.ts'

/** Where a copied view is placed, and the data source of its rows for a view that names none, such as a dashboard. */
interface Place {
  readonly target: Values
  readonly dataSourceId?: string
}

/** Copies the views of databases, keeping their ids, and removes the initial view of each new database. */
export class ViewCopier {
  readonly #context: CloneContext
  /** The ids of properties in the clone by those in the source, for each data source. */
  readonly #propertyIds = new Map<string, ReadonlyMap<string, string>>()

  constructor(context: CloneContext) {
    this.#context = context
  }

  async copyAll(): Promise<void> {
    const { progress } = this.#context
    for await (const record of progress.records()) {
      const id = String(record['id'])
      const step = `views ${id}`
      if (record['object'] !== 'database' || progress.isDone(step)) continue
      const first = await this.#firstViewsOf(id)
      const isAny = await this.#copyTabs(id, firstDataSourceId(record) ?? '')
      for (const viewId of isAny ? first : [])
        await runStep(this.#context, { name: `delete ${viewId}`, operation: 'deleteView', path: { view_id: viewId } })
      progress.note(step)
    }
  }

  /** The initial views of a database of the clone. A resumed clone must not count its copied views. */
  async #firstViewsOf(databaseId: string): Promise<readonly string[]> {
    const { target, progress } = this.#context
    const step = `first views ${databaseId}`
    const known = progress.valueOf(step)
    if (known !== undefined) return known.split(' ').filter(Boolean)
    const { results } = await target.send('listDatabaseViews', { query: { database_id: databaseId } })
    const ids = (Array.isArray(results) ? results : []).filter(isObject).map((view) => String(view['id']))
    progress.note(step, ids.join(' '))
    return ids
  }

  /** @returns whether any view was copied */
  async #copyTabs(databaseId: string, dataSourceId: string): Promise<boolean> {
    const { source, progress } = this.#context
    let isAny = false
    try {
      for await (const { id } of source.views.list({ database_id: databaseId })) {
        const view: Values = await source.views.retrieve({ view_id: id })
        const isTaken = await this.#copy(view, { target: { database_id: databaseId }, dataSourceId })
        isAny ||= isTaken
        if (isTaken) await this.#copyWidgets(view)
      }
    } catch (error) {
      if (!isNotServed(error)) throw error
      progress.leaveOut('views', databaseId, 'The server does not show them to this token.')
    }
    return isAny
  }

  async #copyWidgets({ id, configuration }: Values): Promise<void> {
    const rows = isObject(configuration) && Array.isArray(configuration['rows']) ? configuration['rows'].filter(isObject) : []
    for (const [index, { widgets }] of rows.entries()) {
      for (const [column, widget] of (Array.isArray(widgets) ? widgets.filter(isObject) : []).entries()) {
        const view: Values = await this.#context.source.views.retrieve({ view_id: String(widget['view_id']) })
        const placement = { type: column === 0 ? 'new_row' : 'existing_row', row_index: index }
        await this.#copy(view, { target: { view_id: id, placement } })
      }
    }
  }

  async #copy(view: Values, { target, dataSourceId = '' }: Place): Promise<boolean> {
    const { form, rewriter } = this.#context
    const { filter, sorts, quick_filters: quickFilters, configuration, name, type } = view
    const [id, sourceId] = [String(view['id']), String(view['data_source_id'] ?? dataSourceId)]
    const settings = Object.entries({
      filter,
      sorts,
      quick_filters: quickFilters,
      ...(type !== 'dashboard' && { configuration }),
    })
    // Settings that a view does not have are left out.
    const given = Object.fromEntries(settings.filter(([, value]) => value !== null))
    const wanted = renamed({ ...target, data_source_id: sourceId, name, type, ...given }, await this.#idsIn(sourceId))
    const body = form.of('ViewCreateRequest', await rewriter.rewrite(wanted))
    const step = { name: `view ${id}`, operation: 'createView', body, ids: { view: [id] } } as const
    return runOptionalStep(this.#context, step, ['view', id])
  }

  async #idsIn(dataSourceId: string): Promise<ReadonlyMap<string, string>> {
    const ids = this.#propertyIds.get(dataSourceId) ?? (await propertyIds(this.#context, dataSourceId))
    this.#propertyIds.set(dataSourceId, ids)
    return ids
  }
}

async function propertyIds({ source, target }: CloneContext, dataSourceId: string): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  try {
    const path = { data_source_id: dataSourceId }
    const [existing, here] = [await source.dataSources.retrieve(path), await target.send('retrieveDataSource', { path })]
    const made = isObject(here['properties']) ? here['properties'] : {}
    for (const [name, { id }] of Object.entries('properties' in existing ? existing.properties : {})) {
      const own = Object.hasOwn(made, name) ? made[name] : undefined
      if (isObject(own)) for (const spelling of [id, percentDecoded(id)]) ids.set(spelling, String(own['id']))
    }
  } catch (error) {
    // The request for the view is then refused with the reason.
    if (!isNotServed(error)) refusalOf(error)
  }
  return ids
}

/** The same value, with ids of properties replaced wherever a text consists of one. */
function renamed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => renamed(item, ids))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [ids.get(key) ?? key, renamed(member, ids)]))
}
