import type { PartialView, ViewObject, ViewType } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { undashed } from '../../../kernel/ids.ts'
import type { View } from '../../../store/views.ts'
import type { Scope } from '../../shared/index.ts'
import { partialUser } from '../../people/index.ts'
import { requireView, visibleSchema, type ViewAround } from './access.ts'
import { presentFilter, presentQuickFilters } from './conditions.ts'
import { presentConfiguration } from './configuration.ts'
import type { ViewSchema, ViewSettings } from './settings.ts'
import { presentSorts } from './sorts.ts'

export async function retrieveView(scope: Scope, id: string): Promise<ViewObject | PartialView> {
  return presentView(scope, await requireView(scope, id))
}

/** Presents a view: in full with the read content capability, otherwise as a partial object. */
export async function presentView(scope: Scope, { view, source }: ViewAround): Promise<ViewObject | PartialView> {
  if (!scope.actor.capabilities.has('read_content')) return partialView(view)
  const settings = presentSettings(view, visibleSchema(source))
  const { createdBy, lastEditedBy, dashboardId, databaseId } = view
  return {
    ...partialView(view),
    name: view.name,
    created_time: toTimestamp(view.createdTime),
    last_edited_time: toTimestamp(view.lastEditedTime),
    url: `${scope.baseUrl}/${undashed(databaseId)}?v=${undashed(view.id)}`,
    data_source_id: view.type === 'dashboard' ? null : view.dataSourceId,
    created_by: partialUser(createdBy),
    last_edited_by: partialUser(lastEditedBy),
    ...settings,
    ...(dashboardId === null ? {} : { dashboard_view_id: dashboardId }),
  }
}

export function partialView({ id, databaseId, type }: View): PartialView {
  const parent = { type: 'database_id', database_id: databaseId } as const
  return { object: 'view', id, parent, type: type as ViewType }
}

/** The settings of a view, as far as their properties still exist and have the same type. */
function presentSettings(
  { type, settings }: View,
  schema: ViewSchema,
): Pick<ViewObject, 'filter' | 'sorts' | 'quick_filters' | 'configuration'> {
  const { filter, sorts, quickFilters, configuration } = settings as ViewSettings
  return {
    filter: presentFilter(filter, schema),
    sorts: presentSorts(sorts, schema),
    quick_filters: presentQuickFilters(quickFilters, schema),
    configuration: presentConfiguration(type as ViewType, configuration, schema),
  }
}
