import { afterAll, expect, it } from 'vitest'
import { makePage, text } from '../harness/content.ts'
import { damageIn } from '../harness/damage_in.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { at, idOf, textAt } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const { owner } = server

const TOO_LONG = /body\.properties should leave the row `[0-9a-f-]{36}` with values of at most `1024000` bytes in all/
/** Close to the maximum size of a request, in few characters. */
const LONG = Array.from({ length: 80 }, () => text('\u20ac'.repeat(2_000)))
const LINKS = 80
/** Characters of four bytes. The title is longer than the part of it that texts show. */
const LONG_TITLE = [text('\u{1F600}'.repeat(2_000)), text('more')]

afterAll(async () => expect(await damageIn(server)).toStrictEqual([]))

it('updatePage: 400 when the values of a row become longer than an import accepts, and 200 once another value is shorter', async () => {
  const names = ['First', 'Second', 'Third', 'Fourth']
  const columns = Object.fromEntries(names.map((name) => [name, { rich_text: {} }]))
  const { sourceId } = await makeDatabase(owner, await makePage(owner), columns)
  const path = { page_id: idOf(await makeRow(owner, sourceId, {})) }
  const update = (name: string, rich_text: object[]): ReturnType<typeof owner.call> =>
    owner.call('updatePage', { path, body: { properties: { [name]: { rich_text } } }, query: { filter_properties: ['title'] } })
  const statuses: number[] = []
  for (const name of names) statuses.push((await update(name, LONG)).status)
  expect(statuses).toStrictEqual([200, 200, 400, 400])
  expect(textAt((await update('Third', LONG)).body, 'message')).toMatch(TOO_LONG)
  expect((await update('First', [])).status).toBe(200)
  expect((await update('Third', LONG)).status).toBe(200)
})

it('updateDataSource: 400 when texts that replace links make a row longer than an import accepts', async () => {
  const page = await makePage(owner)
  const { sourceId: targetId } = await makeDatabase(owner, page, {})
  const relation = { data_source_id: targetId, single_property: {} }
  const { sourceId } = await makeDatabase(owner, page, { One: { relation }, Other: { relation } })
  const makeTarget = async (): Promise<object> => ({ id: idOf(await makeRow(owner, targetId, { Name: { title: LONG_TITLE } })) })
  const links = await Promise.all(Array.from({ length: LINKS }, makeTarget))
  await makeRow(owner, sourceId, { One: { relation: links }, Other: { relation: links } })
  const retype = (name: string): ReturnType<typeof owner.call> =>
    owner.call('updateDataSource', { path: { data_source_id: sourceId }, body: { properties: { [name]: { rich_text: {} } } } })
  const retyped = await retype('One')
  expect(retyped.status, retyped.text).toBe(200)
  const refused = await retype('Other')
  expect(refused.status, refused.text).toBe(400)
  expect(textAt(refused.body, 'message')).toMatch(TOO_LONG)
  const { body } = await owner.call('retrieveDataSource', { path: { data_source_id: sourceId } })
  expect(at(body, 'properties', 'Other', 'type')).toBe('relation')
})

it('appendBlockChildren: 200 with shortened names of mentioned pages, so that the response can be stored for a repeat', async () => {
  const title = [text('\u0001'.repeat(2_000))]
  const page = idOf(
    (await owner.call('createPage', { body: { parent: { workspace: true }, properties: { title: { title } } } })).body,
  )
  const mentions = Array<object>(100).fill({ mention: { page: { id: page } } })
  const children = Array<object>(70).fill({ paragraph: { rich_text: mentions } })
  const path = { block_id: await makePage(owner) }
  const { status, text: response } = await owner.call('appendBlockChildren', {
    path,
    body: { children },
    headers: { 'Idempotency-Key': 'many-mentions' },
  })
  expect(status, response.slice(0, 1_000)).toBe(200)
  expect(response.length).toBeGreaterThan(10_000_000)
})
