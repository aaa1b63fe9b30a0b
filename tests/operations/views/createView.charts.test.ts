import { expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { makeTracker, makeView, retrieveView } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)
const tracker = await makeTracker(server.owner, page, (await makeTracker(server.owner, page)).sourceId)

it.each([
  ['both axes', { x_axis_property_id: 'Job', y_axis_property_id: 'Cost' }, { x_axis: null, y_axis: null }],
  ['the horizontal axis', { x_axis_property_id: 'Job' }, { x_axis: null }],
  ['the vertical axis', { y_axis_property_id: 'Cost' }, { y_axis: null }],
])('createView: 200 for a chart of ungrouped values, without groups on %s', async (_what, values, groups) => {
  const configuration = { type: 'chart', chart_type: 'line', ...values }
  const made = await makeView(server.owner, tracker, { type: 'chart', configuration })
  expect(made['configuration']).toMatchObject(groups)
  expect((await retrieveView(server.owner, idOf(made))).body['configuration']).toStrictEqual(made['configuration'])
})
