import type { DashboardRow, DashboardWidget, WidgetPlacementRequest } from '../../../../generated/types.ts'
import { newId } from '../../../kernel/ids.ts'
import { updateViewRow, type View } from '../../../store/views.ts'
import { recordEvent } from '../../events/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import type { ViewSettings } from './settings.ts'

export const WIDGETS_MAX = 12
const WIDGETS_IN_ROW_MAX = 4
const COLUMNS = 12

function rowsOf({ settings }: View): readonly DashboardRow[] {
  return ((settings as ViewSettings).configuration['rows'] ?? []) as readonly DashboardRow[]
}

/**
 * Puts a widget on a dashboard.
 * @throws ServiceError `validation_error` if the dashboard is full, or does not have the requested row
 */
export async function placeWidget(
  scope: WriteScope,
  dashboard: View,
  widgetId: string,
  placement: WidgetPlacementRequest | undefined,
): Promise<void> {
  const rows = [...rowsOf(dashboard)]
  const count = rows.reduce((sum, { widgets }) => sum + widgets.length, 0)
  if (count >= WIDGETS_MAX) throw invalid('body.view_id', `should be a dashboard with fewer than ${WIDGETS_MAX} widgets`)
  const widget: DashboardWidget = { id: newId(), view_id: widgetId }
  if (placement?.type === 'existing_row') {
    const row = rows[placement.row_index]
    if (!row) throw outOfRange(rows.length - 1)
    if (row.widgets.length >= WIDGETS_IN_ROW_MAX) {
      throw invalid('body.placement.row_index', `should be a row with fewer than ${WIDGETS_IN_ROW_MAX} widgets`)
    }
    rows[placement.row_index] = { ...row, widgets: [...row.widgets, widget] }
  } else {
    const index = placement?.row_index ?? rows.length
    if (index > rows.length) throw outOfRange(rows.length)
    rows.splice(index, 0, { id: newId(), widgets: [widget] })
  }
  await saveRows(scope, dashboard, rows)
}

function outOfRange(last: number): Error {
  return invalid(
    'body.placement.row_index',
    last < 0 ? 'should not name a row: the dashboard has no rows yet' : `should be at most ${last}`,
  )
}

/** Removes a widget from its dashboard, and the row as well if it becomes empty. */
export async function removeWidget(scope: WriteScope, dashboard: View, widgetId: string): Promise<void> {
  const rows = rowsOf(dashboard)
    .map((row) => ({ ...row, widgets: row.widgets.filter(({ view_id: id }) => id !== widgetId) }))
    .filter(({ widgets }) => widgets.length > 0)
  await saveRows(scope, dashboard, rows)
}

/** Stores the rows of a dashboard. Widgets share the width of their row evenly. */
async function saveRows(scope: WriteScope, dashboard: View, rows: readonly DashboardRow[]): Promise<void> {
  const { id, databaseId } = dashboard
  const placed = rows.map((row, index) => ({
    ...row,
    widgets: row.widgets.map((widget) => ({ ...widget, width: COLUMNS / row.widgets.length, row_index: index })),
  }))
  const settings = { ...(dashboard.settings as ViewSettings), configuration: { rows: placed } }
  const { now: lastEditedTime, actor } = scope
  await updateViewRow(scope.db, actor.workspaceId, { ...dashboard, settings, lastEditedTime, lastEditedBy: actor.userId })
  await recordEvent(scope, { type: 'view.updated', id, databaseId, fields: ['configuration'] })
}
