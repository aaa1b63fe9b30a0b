import { expect, it } from 'vitest'
import { newestRelease, releaseDates } from '../../generated/operations.ts'
import type { ReleaseDate } from '../../generated/types.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createTestServer, type Seed, type TestServer, type TestWorkspace } from '../../testkit/src/index.ts'
import { exampleCall, exampleForm, servedWith, takesForm, targetOf, type KnownOperation } from '../harness/every_operation.ts'
import { publicContract, resolve } from '../harness/contract.ts'
import { idOf, parseObject } from '../harness/json.ts'
import { inLongRuns, someRows } from '../harness/long_runs.ts'

const TIME = '2026-05-16T04:30:00.000Z'
const SEED: Seed = {
  people: [{ name: 'Pilot', email: 'pilot@harbour.example' }],
  pages: [{ name: 'log', markdown: 'One\n\nTwo\n\nThree', pages: [{ markdown: 'Low water' }, { markdown: 'High water' }] }],
  databases: [
    {
      name: 'tides',
      page: 'log',
      initial_data_source: { properties: { Name: { title: {} }, Height: { number: {} } } },
      rows: [{ properties: { Height: { number: 1 } } }, { properties: { Height: { number: 2 } } }],
    },
  ],
  agents: [
    {
      name: 'Tide Watch',
      turns: [
        {
          steps: [
            { type: 'tool_call', tool: 'search_workspace', arguments: { terms: ['two'] } },
            { type: 'text', text: 'Low water is at nine.' },
          ],
        },
      ],
    },
  ],
  tokens: [{ name: 'reader', capabilities: ['read_content'] }],
}
/** The newest and the oldest release; in long runs, all of them. */
const VERSIONS = someRows([...new Set<ReleaseDate>([newestRelease, ...releaseDates])], 2)
/** Operations with paginated lists. */
const LISTS = ['search', 'queryDataSource', 'listBlockChildren', 'listComments', 'listUsers', 'listFileUploads']

interface Sent {
  readonly method: string
  readonly target: string
  readonly token: string
  readonly type?: string
  readonly body?: string
  readonly version?: string
}

/** A response with all headers except those of the connection. */
async function responseText({ fetch }: Pick<TestServer, 'fetch'>, sent: Sent): Promise<string> {
  const { method, target, token, type, body, version = newestRelease } = sent
  const headers = { Authorization: `Bearer ${token}`, 'Service-Version': version, ...(type && { 'Content-Type': type }) }
  const response = await fetch(target, { method, headers, ...(body !== undefined && { body }) })
  const shown = [...response.headers].filter(([name]) => name !== 'date')
  return JSON.stringify([method, target, response.status, shown, await response.text()])
}

/** Creates a record for each id in paths of operations, in one workspace. */
async function filled(server: TestServer): Promise<Readonly<Record<string, string>>> {
  const { pages, databases, people, tokens, agents } = await server.seed(SEED)
  expect(tokens['reader']).toMatch(/^itk_/)
  const send = async (target: string, body: object, headers = {}): Promise<string> =>
    idOf(parseObject(await (await server.workspace.fetch(target, post(body, headers))).text()))
  const page = pages['log'] ?? ''
  await send('/v1/comments', { parent: { page_id: page }, markdown: 'Seen' })
  const upload = await send('/v1/file_uploads', { filename: 'a.txt' })
  await send('/v1/file_uploads', { filename: 'b.txt' })
  const { fetch, owner } = server.workspace
  const form = { method: 'POST', headers: { 'Content-Type': exampleForm.type }, body: exampleForm.text }
  expect((await fetch(`/v1/file_uploads/${upload}/send`, form)).status).toBe(200)
  const comment = await send('/v1/comments', {
    parent: { page_id: page },
    markdown: 'A file',
    attachments: [{ file_upload_id: upload }],
  })
  const message = { agent_id: agents['Tide Watch'] ?? '', message: 'When is low water?' }
  const session = await send('/v1/sessions', message, { Authorization: `Bearer ${owner.token}` })
  await server.settled()
  return {
    ...{
      page_id: page,
      block_id: page,
      comment_id: comment,
      file_upload_id: upload,
      session_id: session,
      agent_id: message.agent_id,
    },
    user_id: people['pilot@harbour.example'] ?? '',
    database_id: databases['tides']?.id ?? '',
    data_source_id: databases['tides']?.dataSourceId ?? '',
  }
}

function post(body: object, headers: object): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** Every operation with its examples on existing records, deletions last; lists have pages of one item. */
function requestsOf(known: Readonly<Record<string, string>>, { token, owner }: TestWorkspace): Sent[] {
  const operations = servedWith('bearer', 'client', 'none').toSorted((one, other) => rank(one) - rank(other))
  return operations.map((operation) => {
    const { path, query, body, form } = { form: takesForm(operation), ...exampleCall(operation) }
    const ids = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, known[name] ?? value]))
    const paging = LISTS.includes(operation.id) && operation.method === 'get' ? { page_size: '1' } : {}
    const search = new URLSearchParams({
      ...(query as Record<string, string>),
      ...(operation.id === 'listComments' && { block_id: known['page_id'] ?? '' }),
      ...paging,
    })
    const written = LISTS.includes(operation.id) && operation.method === 'post' ? { page_size: 1 } : body
    const sent = form ? exampleForm : written === undefined ? {} : { type: 'application/json', text: JSON.stringify(written) }
    const { type, text } = { type: undefined, text: undefined, ...sent }
    const target = `${targetOf(operation, ids)}?${search}`
    return {
      ...{ method: operation.method.toUpperCase(), target, token: /^.v1.(agents|sessions)/.test(target) ? owner.token : token },
      ...(type !== undefined && { type }),
      ...(text !== undefined && { body: text }),
    }
  })
}

/**
 * Every example of a body, and a call of each operation without one, at each of `VERSIONS`, with existing records in place of the example
 * workspace's.
 */
function everyExample(known: Readonly<Record<string, string>>, workspace: TestWorkspace): Sent[] {
  const targets = requestsOf(known, workspace)
  const operations = servedWith('bearer', 'client', 'none').toSorted((one, other) => rank(one) - rank(other))
  return operations.flatMap(({ path, method }, index) => {
    const { body: _body, ...plain } = targets[index] ?? { method, target: path, token: workspace.token }
    return VERSIONS.flatMap((version): Sent[] => {
      const { paths, components } = publicContract(version === newestRelease ? undefined : version)
      const examples = paths[path]?.[method]?.requestBody?.content?.['application/json']?.examples ?? {}
      const bodies = Object.values(examples).map((one) => ofSeed(JSON.stringify(resolve(one, components.examples).value), known))
      return bodies.length === 0 ? [{ ...plain, version }] : bodies.map((body) => ({ ...plain, body, version }))
    })
  })
}

/** An example in which records of the seed replace the records of the example workspace. */
function ofSeed(text: string, known: Readonly<Record<string, string>>): string {
  const [database = '', source = ''] = [exampleWorkspace.boatRegister, exampleWorkspace.dataSources.boats]
  return text
    .replaceAll(exampleWorkspace.pages.handbook, known['page_id'] ?? '')
    .replaceAll(exampleWorkspace.pages.launchPlan, known['page_id'] ?? '')
    .replaceAll(database, known['database_id'] ?? '')
    .replaceAll(source, known['data_source_id'] ?? '')
    .replaceAll(exampleWorkspace.people[0].id, known['user_id'] ?? '')
}

function rank({ method }: KnownOperation): number {
  return ['get', 'post', 'put', 'patch', 'delete'].indexOf(method)
}

async function walk(server: TestServer, requestsFor = requestsOf): Promise<string[]> {
  const requests = requestsFor(await filled(server), server.workspace)
  const responses: string[] = []
  for (const request of requests) {
    responses.push(await responseText(server, request))
    // Background work of a request, such as an asynchronous task, may finish at any time.
    if (requestsFor !== requestsOf && (request.method === 'POST' || request.target.startsWith('/v1/pages/')))
      await server.settled()
  }
  return responses
}

async function walkNew(seed: string, requestsFor = requestsOf): Promise<string[]> {
  await using server = await createTestServer({ port: 'none', seed, time: TIME })
  return await walk(server, requestsFor)
}

it('test servers with one seed respond to every operation with the same bytes, even after a restore', async () => {
  await using server = await createTestServer({ port: 'none', seed: 'tide', time: TIME })
  await server.snapshot('start')
  const one = await walk(server)
  expect(await walkNew('tide')).toEqual(one)
  await server.restore('start')
  expect(await walk(server)).toEqual(one)
  expect(one.some((response) => /signature=[\w-]{10}/.test(response))).toBe(true)
  expect(one.some((response) => response.includes('Low water is at nine.'))).toBe(true)
  const other = await walkNew('ebb')
  const cursors = one.flatMap((response) => /\\"next_cursor\\":\\"([^\\]+)/.exec(response)?.[1] ?? [])
  expect(cursors).toHaveLength(LISTS.length)
  for (const cursor of cursors) expect(other.join('\n')).not.toContain(cursor)
})

inLongRuns(it)(
  'test servers with one seed respond to every example of every operation at old and new release dates with the same bytes',
  async () => {
    const one = await walkNew('tide', everyExample)
    expect(await walkNew('tide', everyExample)).toEqual(one)
    expect(one.length).toBeGreaterThan(180 * VERSIONS.length)
    const done = one.filter((response) => (JSON.parse(response) as readonly unknown[])[2] === 200)
    expect(done.length).toBeGreaterThan(55 * VERSIONS.length)
  },
)
