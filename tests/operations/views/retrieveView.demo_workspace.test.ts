import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { createViewQuery, retrieveView, updateView, viewIds } from '../../harness/views.ts'

const server = await serverOfFile()

const { views, dataSources, rows } = exampleWorkspace

describe('views of the demo workspace', () => {
  it('200 with the tabs of the repair log', async () => {
    const tabs = [views.allJobs, views.jobsByStatus, views.openJobs, views.repairTimeline, views.damageReport, views.yardOverview]
    expect(await viewIds(server.owner, { database_id: exampleWorkspace.repairLog })).toStrictEqual([...tabs, views.shelfList])
    expect(await viewIds(server.owner, { data_source_id: dataSources.spareParts })).toStrictEqual([views.shelfList])
  })

  it('200 with the tabs of the boat register, and the map on the launch day plan', async () => {
    const tabs = [views.launchCalendar, views.boatGallery]
    expect(await viewIds(server.owner, { database_id: exampleWorkspace.boatRegister })).toStrictEqual(tabs)
    expect(await viewIds(server.owner, { database_id: exampleWorkspace.boatsInTheYard })).toStrictEqual([views.berthMap])
    expect((await viewIds(server.owner, { data_source_id: dataSources.boats })).toSorted()).toStrictEqual(
      [...tabs, views.berthMap].toSorted(),
    )
  })

  it.each(Object.entries(views))('200 for %s with all settings', async (_name, id) => {
    const { body } = await retrieveView(server.owner, id)
    const stored = await server.service.database.read((db) =>
      db.get({ settings: 'text' }, 'select settings from views where id = ?', id),
    )
    const settings = JSON.parse(stored?.settings ?? '{}') as Record<string, unknown>
    expect(body['configuration']).toMatchObject(settings['configuration'] as object)
    expect(body['filter'] === null).toBe(settings['filter'] === null)
    expect(body['sorts']).toStrictEqual(settings['sorts'])
    expect(Object.keys(body['quick_filters'] ?? {})).toStrictEqual(Object.keys(settings['quickFilters'] ?? {}))
    // Writing back the response changes nothing.
    const { filter, configuration } = body
    if (body['type'] === 'dashboard') return
    const written = JSON.parse(
      JSON.stringify({ filter, configuration }, (key, value: unknown) => (key.endsWith('property_name') ? undefined : value)),
    ) as object
    expect((await updateView(server.owner, id, written)).body).toMatchObject({ filter, configuration })
  })

  it('200 from a view query with the jobs in the order of the view', async () => {
    const idsOf = async (id: string): Promise<string[]> => resultsOf((await createViewQuery(server.owner, id)).body).map(idOf)
    const { keelBolts, mast, engine, rigging, hull, bilgePump } = rows.jobs
    expect(await idsOf(views.allJobs)).toStrictEqual([engine])
    await updateView(server.owner, views.allJobs, { quick_filters: null })
    expect(await idsOf(views.allJobs)).toStrictEqual([bilgePump, engine, keelBolts, mast, rigging, hull])
    expect((await idsOf(views.jobsInHand)).toSorted()).toStrictEqual([keelBolts, rigging].toSorted())
    const open = [mast, rigging, keelBolts, hull]
    expect((await idsOf(views.openJobs)).toSorted()).toStrictEqual(open.toSorted())
    expect((await idsOf(views.openJobs)).slice(0, 2).toSorted()).toStrictEqual([mast, rigging].toSorted())
    for (const id of [views.launchCalendar, views.boatGallery, views.berthMap])
      expect((await idsOf(id)).toSorted()).toStrictEqual(Object.values(rows.boats).toSorted())
  })
})
