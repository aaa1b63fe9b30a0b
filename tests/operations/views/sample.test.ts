import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { createViewQuery, retrieveView, updateView, viewIds } from '../../harness/views.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const { views, dataSources } = story

describe('the views of the demo workspace', () => {
  it('200 the tabs of the repair log', async () => {
    const tabs = [views.allJobs, views.jobsByStatus, views.openJobs, views.repairTimeline, views.damageReport, views.yardOverview]
    expect(await viewIds(server.owner, { database_id: story.repairLog })).toStrictEqual([...tabs, views.shelfList])
    expect(await viewIds(server.owner, { data_source_id: dataSources.spareParts })).toStrictEqual([views.shelfList])
  })

  it.each(Object.entries(views))('200 %s has lost nothing of what is set on it', async (_name, id) => {
    const { body } = await retrieveView(server.owner, id)
    const stored = await server.service.database.read((db) =>
      db.get<{ settings: string }>('select settings from views where id = ?', id),
    )
    const settings = JSON.parse(stored?.settings ?? '{}') as Record<string, unknown>
    expect(body['configuration']).toMatchObject(settings['configuration'] as object)
    expect(body['filter'] === null).toBe(settings['filter'] === null)
    expect(body['sorts']).toStrictEqual(settings['sorts'])
    expect(Object.keys(body['quick_filters'] ?? {})).toStrictEqual(Object.keys(settings['quickFilters'] ?? {}))
    // Written back as it is read, it says the same.
    const { filter, configuration } = body
    if (body['type'] === 'dashboard') return
    const written = JSON.parse(
      JSON.stringify({ filter, configuration }, (key, value: unknown) => (key.endsWith('property_name') ? undefined : value)),
    ) as object
    expect((await updateView(server.owner, id, written)).body).toMatchObject({ filter, configuration })
  })

  it('200 the queries show the jobs, in the order of the view', async () => {
    const idsOf = async (id: string): Promise<string[]> => resultsOf((await createViewQuery(server.owner, id)).body).map(idOf)
    const [keelBolts, mast] = ['101379c7-d2ab-4d67-8074-a6442ba33d67', '543bcfbb-c9f2-4a8a-9ecf-958027801375']
    await updateView(server.owner, views.allJobs, { quick_filters: null })
    expect(await idsOf(views.allJobs)).toStrictEqual([keelBolts, mast])
    expect(await idsOf(views.jobsInHand)).toStrictEqual([keelBolts])
    expect(at((await createViewQuery(server.owner, views.openJobs)).body, 'total_count')).toBe(2)
  })
})
