import type {
  PartialView,
  ViewCreateRequest,
  ViewInDashboardRequest,
  ViewInDatabaseRequest,
  ViewObject,
} from '../../../../generated/types.ts'
import { canonicalId, newId, newRecordId } from '../../../kernel/ids.ts'
import { countTabs, endOfTabs, findView, insertView, moveTabsFrom, WIDGET_POSITION, type View } from '../../../store/views.ts'
import { requireVisible } from '../../content/index.ts'
import { requireDataSource } from '../data_sources/load.ts'
import { recordEvent } from '../../events/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { checkedSchema, requireOpenDatabase, requireView } from './access.ts'
import { placeWidget } from './dashboards.ts'
import { defaultConfiguration } from './defaults.ts'
import { createLinkedDatabase } from './linked_database.ts'
import { presentView } from './present.ts'
import { NO_SETTINGS } from './settings.ts'
import { changedSettings } from './update.ts'

/** The maximum number of tabs of a database. A database is shown with all of them. */
export const TABS_MAX = 1_000

/** Where a new view is placed. */
type Target = Pick<View, 'databaseId' | 'dashboardId' | 'position'>

/** Creates a view as a tab, as a widget of a dashboard, or in a new linked database, atomically. */
export async function createView(scope: WriteScope, request: ViewCreateRequest): Promise<ViewObject | PartialView> {
  const id = newRecordId('view')
  const target = await placeView(scope, id, request)
  const source = await requireDataSource(scope, request.data_source_id)
  if (source.inTrash) throw invalid('body.data_source_id', 'should not be in the trash: restore the data source first')
  if (request.type === 'form' && source.database.id !== target.databaseId) {
    const place = 'create_database' in request ? 'create_database' : 'view_id' in request ? 'view_id' : 'database_id'
    throw invalid(`body.${place}`, 'should be the database that owns the data source: a form stays there')
  }
  const schema = await checkedSchema(scope, source)
  const sent = changedSettings(request.type, NO_SETTINGS, request, schema)
  const settings = request.configuration ? sent : { ...sent, configuration: defaultConfiguration(request.type, schema) }
  await writeView(scope, { ...target, id, dataSourceId: source.id, type: request.type, name: request.name, settings })
  return presentView(scope, await requireView(scope, id))
}

async function placeView(scope: WriteScope, id: string, request: ViewCreateRequest): Promise<Target> {
  if ('create_database' in request) {
    return { databaseId: await createLinkedDatabase(scope, request.create_database), dashboardId: null, position: 0 }
  }
  return 'view_id' in request ? placeOnDashboard(scope, id, request) : placeAmongTabs(scope, request)
}

async function placeAmongTabs(scope: WriteScope, request: ViewInDatabaseRequest): Promise<Target> {
  const { db, actor } = scope
  const database = await requireVisible(scope, request.database_id, 'database')
  const databaseId = database.id
  await requireOpenDatabase(scope, database, 'body.database_id')
  if ((await countTabs(db, actor.workspaceId, databaseId, TABS_MAX)) >= TABS_MAX) {
    throw invalid('body.database_id', `should be a database with fewer than ${TABS_MAX} tabs`)
  }
  const { position: requested } = request
  if (requested === undefined || requested.type === 'end') {
    return { databaseId, dashboardId: null, position: await endOfTabs(db, actor.workspaceId, databaseId) }
  }
  const position = requested.type === 'start' ? 0 : (await positionOfTab(scope, databaseId, requested.view_id)) + 1
  await moveTabsFrom(db, actor.workspaceId, databaseId, position)
  return { databaseId, dashboardId: null, position }
}

async function positionOfTab({ db, actor }: WriteScope, databaseId: string, viewId: string): Promise<number> {
  const tab = await findView(db, actor.workspaceId, canonicalId(viewId))
  if (tab?.databaseId === databaseId && tab.dashboardId === null) return tab.position
  throw invalid('body.position.view_id', 'should be the id of a tab of this database')
}

async function placeOnDashboard(scope: WriteScope, id: string, request: ViewInDashboardRequest): Promise<Target> {
  const { view: dashboard, database } = await requireView(scope, request.view_id)
  if (dashboard.type !== 'dashboard') {
    throw invalid('body.view_id', `should be the id of a dashboard, instead was the id of a view of type ${dashboard.type}`)
  }
  if (request.type === 'dashboard') throw invalid('body.type', 'should not be a dashboard: a dashboard cannot be a widget')
  await requireOpenDatabase(scope, database, 'body.view_id')
  await placeWidget(scope, dashboard, id, request.placement)
  return { databaseId: database.id, dashboardId: dashboard.id, position: WIDGET_POSITION }
}

type NewView = Omit<View, 'createdTime' | 'createdBy' | 'lastEditedTime' | 'lastEditedBy'>

async function writeView(scope: WriteScope, view: NewView): Promise<void> {
  const { db, actor, now } = scope
  const { workspaceId, userId } = actor
  await insertView(db, workspaceId, { ...view, createdTime: now, createdBy: userId, lastEditedTime: now, lastEditedBy: userId })
  await recordEvent(scope, { type: 'view.created', id: view.id, databaseId: view.databaseId, viewType: view.type })
}

/** Adds a table view of a data source as the last tab of a database. */
export async function addTableView(scope: WriteScope, databaseId: string, dataSourceId: string): Promise<void> {
  const position = await endOfTabs(scope.db, scope.actor.workspaceId, databaseId)
  const place = { databaseId, dashboardId: null, position }
  const settings = { ...NO_SETTINGS, configuration: {} }
  await writeView(scope, { ...place, id: newId(), dataSourceId, type: 'table', name: 'Default view', settings })
}
