import { NO_SETTINGS } from '../domain/data/index.ts'
import type { Transaction } from '../store/database.ts'
import { insertView, WIDGET_POSITION } from '../store/views.ts'
import { sampleContent, type SampleView } from './sample_content.ts'
import { exampleWorkspace } from './example_workspace.ts'

const { views, dataSources } = exampleWorkspace

interface ViewPlace {
  readonly databaseId: string
  readonly dataSourceId: string
  readonly dashboardId: string | null
  readonly position: number
}

/** The views of the demo workspace's databases. */
export async function insertSampleViews(db: Transaction, workspaceId: string, now: number): Promise<void> {
  const [{ id: author }] = exampleWorkspace.people
  const { repairLog, yardOverview, boatRegister, boatsInTheYard } = sampleContent('views')
  const insert = async ({ id, name, type, dataSourceId, ...settings }: SampleView, place: ViewPlace): Promise<void> => {
    await insertView(db, workspaceId, {
      ...place,
      id,
      type,
      name,
      dataSourceId: dataSourceId ?? place.dataSourceId,
      settings: { ...NO_SETTINGS, ...settings },
      createdTime: now,
      createdBy: author,
      lastEditedTime: now,
      lastEditedBy: author,
    })
  }
  const log = { databaseId: exampleWorkspace.repairLog, dataSourceId: dataSources.repairJobs, dashboardId: null }
  const register = { databaseId: exampleWorkspace.boatRegister, dataSourceId: dataSources.boats, dashboardId: null }
  for (const [position, view] of repairLog.entries()) await insert(view, { ...log, position })
  for (const view of yardOverview) await insert(view, { ...log, dashboardId: views.yardOverview, position: WIDGET_POSITION })
  for (const [position, view] of boatRegister.entries()) await insert(view, { ...register, position })
  for (const [position, view] of boatsInTheYard.entries())
    await insert(view, { ...register, databaseId: exampleWorkspace.boatsInTheYard, position })
}
