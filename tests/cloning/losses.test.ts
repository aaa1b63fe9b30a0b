import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { createWorkspaceClient } from '../../client/src/index.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { startAlteringServer, type Alteration } from '../conformance/support/altering_server.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { Clones, reasons, type Cloned } from './support/clones.ts'
import { plantMore } from './support/planted.ts'
import { inLongRuns } from '../harness/long_runs.ts'

type Values = Record<string, unknown>

const source = await serverOfFile()
const altering = await startAlteringServer(source.url)
const planted = await plantMore(source.owner)
const clones = new Clones(altering.url)
afterAll(async () => {
  await altering.stop()
  clones.remove()
})

/** Clones the sample with altered responses of the server. */
function cloneAltered(name: string, alteration: Alteration): Promise<Cloned> {
  altering.alteration = alteration
  return clones.make(name, () => createWorkspaceClient({ baseUrl: altering.url, token: TOKEN, retries: 0 }))
}

function itemsOf(body: unknown): Values[] {
  const results = isObject(body) ? body['results'] : undefined
  return Array.isArray(results) ? results.filter(isObject) : []
}

const emails = ['nobody', undefined]
const unseen = randomUUID()
let location = ''

/** Altered responses that cannot be cloned completely, each independent of the others. */
const alterations: readonly Alteration[] = [
  function people({ body }, { url }) {
    if (!url.startsWith('/v1/users?') && url !== '/v1/users') return
    for (const { person } of itemsOf(body))
      if (isObject(person) && emails.length > 0) Object.assign(person, { email: emails.pop() })
  },
  function properties({ body }) {
    if (!isObject(body) || body['id'] !== planted.dataSource || !isObject(body['properties'])) return
    Object.assign(body['properties'], {
      Tide: { id: 'a', name: 'Tide', type: 'tide', tide: {} },
      Twins: { id: 'b', name: 'Twins', type: 'select', select: { options: [{ name: 'Port' }, { name: 'Port' }] } },
      Lost: { id: 'c', name: 'Lost', type: 'relation', relation: { data_source_id: randomUUID(), single_property: {} } },
      Loop: { id: 'd', name: 'Loop', type: 'formula', formula: { expression: 'prop("Loop") + 1' } },
    })
  },
  function mirrors({ body }) {
    for (const { id, synced_block: synced } of itemsOf(body))
      if (isObject(synced) && planted.mirrors.includes(String(id))) synced['synced_from'] = { type: 'block_id', block_id: unseen }
    if (isObject(body) && Array.isArray(body['results']))
      body['results'] = itemsOf(body).filter(({ id }) => id !== planted.synced)
  },
  function files(response, { url }) {
    if (url === '/moved') {
      response.status = 302
      response.headers['location'] = location
    }
    for (const { image, file } of itemsOf(response.body)) {
      if (isObject(image) && isObject(image['file'])) image['file']['url'] = 'https://127.0.0.1/tide.png'
      if (!isObject(file) || !isObject(file['file'])) continue
      const { pathname, search } = new URL(String(file['file']['url']))
      location = pathname + search
      file['file']['url'] = `${altering.url}/moved`
    }
  },
]
const cloned = await cloneAltered('altered', (response, request) => alterations.forEach((alter) => alter(response, request)))

it('clone lists people who cannot become members, with the reason, and creates the others', () => {
  expect(reasons(cloned)).toEqual(
    expect.arrayContaining([
      'person: "nobody" is not an email address.',
      'person: The token may not read their email addresses.',
    ]),
  )
  expect(cloned.leftOut.filter(({ what }) => what === 'person')).toHaveLength(2)
})

it('clone lists refused properties, with the reason, and creates the others', () => {
  const refused = cloned.leftOut.filter(({ what }) => what === 'property')
  expect(Object.fromEntries(refused.map(({ id, reason }) => [id.split(' ')[1], reason]))).toEqual({
    Tide: 'A property of type tide cannot be created.',
    Twins: expect.stringContaining('options[1].name'),
    Lost: expect.stringMatching(/^Could not find data source/),
    Loop: expect.stringContaining('Loop'),
  })
  const schema = cloned.content.schemas.find(({ id }) => id === planted.dataSource)
  expect(Object.keys(schema?.['properties'] ?? {}).toSorted()).toEqual(['Deck', 'Hull', 'Keel', 'Name'])
})

it('clone turns one copy of a synced block into the original, with the children, when the original is hidden', () => {
  const { content } = cloned
  const [first = '', second = ''] = planted.mirrors
  const onPage = content.blocks.filter(({ parentId }) => parentId === planted.page)
  expect(onPage.slice(0, 2)).toMatchObject([
    { id: first, content: { synced_from: { block_id: second } } },
    { id: second, content: { synced_from: null } },
  ])
  expect(content.blocks.filter(({ parentId }) => parentId === second)).toMatchObject([
    { type: 'paragraph', content: { rich_text: [{ plain_text: 'Everywhere' }] } },
  ])
})

it('clone follows redirects of the server to files, but not into private networks', () => {
  expect(cloned.leftOut).toContainEqual({
    what: 'file',
    id: 'https://127.0.0.1/tide.png',
    reason: 'Its address is not public.',
  })
  expect(cloned.content.blocks.find(({ type, parentId }) => type === 'file' && parentId === planted.page)).toMatchObject({
    content: { name: 'tide.txt', type: 'file' },
  })
})

inLongRuns(it)('clone copies pages that contain each other, and lists those it moved', async () => {
  const ring: readonly string[] = [exampleWorkspace.pages.launchPlan, exampleWorkspace.pages.checklist]
  const rotated = await cloneAltered('ring', ({ body }) => {
    for (const record of itemsOf(body)) {
      const location = ring.indexOf(String(record['id']))
      if (location >= 0 && record['object'] === 'page') record['parent'] = { type: 'page_id', page_id: ring[1 - location] }
    }
  })
  const moved = rotated.leftOut.filter(({ reason }) => reason.startsWith('According to the server, it is inside itself. In'))
  expect(moved).toHaveLength(1)
  const parentOf = new Map(rotated.content.pages.map(({ id, parent }) => [id, parent]))
  const [top = ''] = moved.map(({ id }) => id)
  const [below = ''] = ring.filter((id) => id !== top)
  expect(parentOf.get(top)).toMatchObject({ type: 'workspace' })
  expect(parentOf.get(below)).toMatchObject({ type: 'page_id', page_id: top })
})
