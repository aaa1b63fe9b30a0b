import { isSameJson } from '../../../kernel/canonical_json.ts'
import type { PartialView, QuerySorts, ViewObject, ViewType, ViewUpdateRequest } from '../../../../generated/types.ts'
import { stateError } from '../../../kernel/errors.ts'
import { countTabs, deleteViewRows, findView, updateViewRow, type View } from '../../../store/views.ts'
import { recordEvent, type ViewField } from '../../events/index.ts'
import { notFound, type WriteScope } from '../../shared/index.ts'
import { checkedSchema, requireOpenDatabase, requireView } from './access.ts'
import { storeFilter, storeQuickFilters } from './conditions.ts'
import { storeConfiguration } from './configuration.ts'
import { removeWidget } from './dashboards.ts'
import { partialView, presentView } from './present.ts'
import type { CheckedSchema, ViewSettings } from './settings.ts'
import { storeSorts } from './sorts.ts'

/** Changes the members of a view that are sent. An empty request changes nothing. */
export async function updateView(scope: WriteScope, id: string, request: ViewUpdateRequest): Promise<ViewObject | PartialView> {
  const { db, actor, now } = scope
  const around = await requireView(scope, id)
  await requireOpenDatabase(scope, around.database, 'path.view_id')
  if (Object.keys(request).length === 0) return presentView(scope, around)
  const { view, source } = around
  const before = view.settings as ViewSettings
  const { filter, sorts, quick_filters: quickFilters, configuration } = request
  const namesProperties = [filter, sorts, quickFilters, configuration].some((part) => part !== undefined)
  if (namesProperties && !source) throw notFound(actor, 'data source', view.dataSourceId)
  const settings =
    namesProperties && source
      ? changedSettings(view.type as ViewType, before, request, await checkedSchema(scope, source))
      : before
  const changed = { ...view, name: request.name ?? view.name, settings, lastEditedTime: now, lastEditedBy: actor.userId }
  const fields = changedFields(view, changed)
  if (fields.length === 0) return presentView(scope, around)
  await updateViewRow(db, actor.workspaceId, changed)
  await recordEvent(scope, { type: 'view.updated', id: view.id, databaseId: view.databaseId, fields })
  return presentView(scope, { ...around, view: changed })
}

/** The changed fields of a view. Quick filters count as the filter. */
function changedFields(before: View, after: View): ViewField[] {
  const [old, next] = [before.settings as ViewSettings, after.settings as ViewSettings]
  const differs = (one: unknown, other: unknown): boolean => !isSameJson(one, other)
  const isChanged: Readonly<Record<ViewField, boolean>> = {
    name: before.name !== after.name,
    filter: differs([old.filter, old.quickFilters], [next.filter, next.quickFilters]),
    sorts: differs(old.sorts, next.sorts),
    configuration: differs(old.configuration, next.configuration),
  }
  return (Object.keys(isChanged) as ViewField[]).filter((field) => isChanged[field])
}

/** The settings of a view after a request. Omitted members stay. */
export function changedSettings(
  type: ViewType,
  before: ViewSettings,
  request: Omit<ViewUpdateRequest, 'sorts'> & { readonly sorts?: QuerySorts | null },
  schema: CheckedSchema,
): ViewSettings {
  const { filter, sorts, quick_filters: quickFilters, configuration } = request
  return {
    filter: filter ? storeFilter(filter, schema) : filter === null ? null : before.filter,
    sorts: sorts ? storeSorts(sorts, schema) : sorts === null ? null : before.sorts,
    quickFilters: quickFilters
      ? storeQuickFilters(quickFilters, before.quickFilters, schema)
      : quickFilters === null
        ? null
        : before.quickFilters,
    configuration: configuration ? storeConfiguration(type, configuration, before.configuration, schema) : before.configuration,
  }
}

/** Deletes a view permanently. A dashboard is deleted with its widgets; a widget is also removed from its dashboard. */
export async function deleteView(scope: WriteScope, id: string): Promise<PartialView> {
  const { db, actor } = scope
  const { view, database } = await requireView(scope, id)
  await requireOpenDatabase(scope, database, 'path.view_id')
  if (view.dashboardId === null && (await countTabs(db, actor.workspaceId, database.id, 2)) < 2) {
    throw stateError(`path.view_id cannot be deleted: ${view.id} is the last view of its database.`)
  }
  const dashboard = view.dashboardId === null ? undefined : await findView(db, actor.workspaceId, view.dashboardId)
  if (dashboard) await removeWidget(scope, dashboard, view.id)
  const deleted = await deleteViewRows(db, actor.workspaceId, view.id)
  await recordEvent(
    scope,
    deleted.map((one) => ({ type: 'view.deleted', id: one, databaseId: view.databaseId }) as const),
  )
  return partialView(view)
}
