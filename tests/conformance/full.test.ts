import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { ConformClient, type ConformClientOptions } from '../../conformance/src/conform/conform_client.ts'
import { called, coverage } from '../../conformance/src/conform/full/coverage.ts'
import { FullRun, type FullRunEnd, type FullRunOptions } from '../../conformance/src/conform/full/full_run.ts'
import type { RunResult } from '../../conformance/src/report/run_result.ts'
import { Run } from '../../conformance/src/run.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { parseObject } from '../harness/json.ts'
import { inLongRuns } from '../harness/long_runs.ts'
import { spawnProcess } from '../harness/process.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { startAlteringServer, type Alteration } from './support/altering_server.ts'

const service = await serverOfFile()
const altering = await startAlteringServer(service.url)
/** Parts Scout, which may edit the plan. */
const AGENT = '95814675-5260-4ba9-9362-3b53b93e295f'
/** Launch day plan. */
const PLACE = '3af9f30c-5a66-4477-bda9-d8c096d38ff5'

afterAll(() => altering.stop())
beforeEach(() => {
  altering.alteration = () => undefined
})

interface Outcome {
  readonly result: RunResult
  readonly end: FullRunEnd
  readonly pageId: string
}

async function conformFully(
  url: string,
  { clientOptions = {}, ...options }: Partial<FullRunOptions> & { readonly clientOptions?: ConformClientOptions } = {},
): Promise<Outcome> {
  const run = new Run('conform', url)
  let pageId = ''
  const full = new FullRun({
    run,
    client: new ConformClient(run, new URL(url), TOKEN, clientOptions),
    cleaner: new ConformClient(run, new URL(url), TOKEN),
    insideId: PLACE,
    samples: 2,
    onPage: (id) => void (pageId = id),
    onProgress: () => undefined,
    ...options,
  })
  const end = await full.run()
  return { result: run.result, end, pageId }
}

/** All content that the token finds, except last edited times, which may change. */
async function workspaceContent(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const found: Readonly<Record<string, unknown>>[] = []
  for (let cursor: unknown; ;) {
    const body = { page_size: 100, ...(typeof cursor === 'string' && { start_cursor: cursor }) }
    const { results, next_cursor: next } = objectOf((await service.owner.call('search', { body })).body)
    if (Array.isArray(results)) found.push(...results.filter(isObject))
    if (typeof next !== 'string') break
    cursor = next
  }
  return found
    .map((record) => (record['id'] === PLACE ? { ...record, last_edited_time: null, last_edited_by: null } : record))
    .toSorted((a, b) => String(a['id']).localeCompare(String(b['id'])))
}

async function leftovers(): Promise<unknown> {
  const responses = [
    await service.owner.call('listBlockChildren', { path: { block_id: PLACE }, query: { page_size: 100 } }),
    await service.owner.call('listWebhookSubscriptions'),
  ]
  return responses.map(({ body }) => objectOf(body)['results'])
}

async function isInTrash(pageId: string): Promise<unknown> {
  return objectOf((await service.owner.call('retrievePage', { path: { page_id: pageId } })).body)['in_trash']
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  expect(isObject(body)).toBe(true)
  return isObject(body) ? body : {}
}

describe('conform --full', () => {
  inLongRuns(it)('finds no fault in the service, and deletes what it has imported', { timeout: 900_000 }, async () => {
    const before = [await workspaceContent(), await leftovers()]
    const { result, end, pageId } = await conformFully(service.url, { agentId: AGENT })
    expect(result.findings).toEqual([])
    expect(end).toEqual({ left: [] })
    expect([await workspaceContent(), await leftovers()]).toEqual(before)
    expect(await isInTrash(pageId)).toBe(true)

    const { operations: exchanges, notCovered } = result
    const named = new Set([...Object.keys(exchanges), ...Object.keys(notCovered)])
    // If you are here because an operation is listed: no request in `conformance/src/conform/full/` sends it, and no reason is given.
    expect(Object.keys(operations).filter((id) => !named.has(id))).toEqual([])
    // The subscription's token goes to an address without a listener.
    expect(called.filter(({ id }) => id in notCovered).map(({ id }) => id)).toEqual(['verifyWebhookSubscription'])
    const examples = Object.keys(notCovered).filter((name) => name.includes(': ') && !/ in \d{4}-/.test(name))
    expect(examples.toSorted()).toEqual(NOT_SENT)
    for (const name of ['createPage: at_top', 'createPage: empty', 'createDatabase: at_the_top'])
      expect(notCovered[name], name).toBe('it would change something outside the page')
  })

  // If you are here because the lists differ: an operation is new or removed, and the coverage table must say how it is called, or why not.
  it('covers every operation that is not a GET, or gives a reason', () => {
    const ids = Object.values(operations).flatMap(({ id, method }) => (method === 'get' ? [] : [id]))
    expect(Object.keys(coverage).toSorted()).toEqual(ids.toSorted())
  })

  it('reports faults of a server with operation and location', async () => {
    altering.alteration = plantedFaults()
    const { result, end } = await conformFully(altering.url, {
      only: new Set(['createComment', 'updateComment', 'createPage', 'updatePage']),
    })
    expect(result.findings.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        'createComment effect header Idempotency-Replayed const',
        'createComment header header Cache-Control required',
        'createComment refused-request request on_block accepted',
        'createPage body body.object const',
        'updateComment accepted-request body.rich_text type',
        'updatePage effect body.in_trash const',
      ]),
    )
    expect(end.left).toEqual([])
  })
})

/** Examples that cannot be sent to this service, or that it refuses for its own reasons; `notCovered` lists these. */
const NOT_SENT: readonly string[] = [
  'appendBlockChildren: a part of after_a_block',
  'appendBlockChildren: a part of table_rows',
  'createComment: as_user',
  'createComment: placeholders',
  'createDatabase: at_the_top',
  'createFileUpload: external_url',
  'createPage: a part of row',
  'createPage: at_top',
  'createPage: empty',
  'createPage: from_default_template',
  'createPage: from_template',
  'createView: number',
  'queryDataSource: next_page',
  'updateBlock: link_preview',
  'updateBlock: meeting_notes',
  'updateBlock: unsupported',
  'updateDataSource: the property All Boat launch of the examples',
  'updateDataSource: the property All Last visit of the examples',
  'updateDataSource: the property All Site of the examples',
  'updateDataSource: the property Weather of the examples',
  'updatePage: a part of sent_back',
  'updatePage: apply_template',
  'updatePage: default_template',
  'updatePage: properties',
  'updateView: dashboard',
  'updateWebhookSubscription: pause',
  'verifyWebhookSubscription: the right token',
]

/** A server that violates the contract in six ways. */
function plantedFaults(): Alteration {
  let comment: unknown
  return (response, { method, url, body }) => {
    if (method === 'POST' && url === '/v1/comments') {
      delete response.headers['cache-control']
      delete response.headers['idempotency-replayed']
      if (response.status === 200) comment = response.body
      if (body.includes('"custom":{"name":"Tide watch"}')) Object.assign(response, { status: 400, body: REFUSAL })
    }
    if (method === 'POST' && url === '/v1/pages' && isObject(response.body) && response.status === 200)
      response.body = { ...response.body, object: 'sheet' }
    if (method === 'PATCH' && url.startsWith('/v1/comments/') && body.includes('"rich_text":'))
      Object.assign(response, { status: 200, body: comment })
    if (method === 'GET' && url.startsWith('/v1/pages/') && isObject(response.body) && 'in_trash' in response.body)
      response.body = { ...response.body, in_trash: false }
  }
}

const REFUSAL = {
  object: 'error',
  status: 400,
  code: 'validation_error',
  message: 'body failed validation: body.display_name should be another.',
  request_id: '8f1d8a0e-6f0f-4a39-9a43-0d2f0b5f6c11',
}

describe('conform --full removes its test page', () => {
  inLongRuns(it)('when it is interrupted', async () => {
    const before = [await workspaceContent(), await leftovers()]
    const controller = new AbortController()
    const { end, pageId } = await conformFully(service.url, {
      clientOptions: { signal: controller.signal },
      onProgress: (share) => share > 0.1 && controller.abort(),
    })
    expect(end).toEqual({ stopped: 'interrupted', left: [] })
    expect(await isInTrash(pageId)).toBe(true)
    expect([await workspaceContent(), await leftovers()]).toEqual(before)
  })

  it('when its limit of requests is reached', async () => {
    const { end, result, pageId } = await conformFully(service.url, { clientOptions: { requestsMax: 30 } })
    expect(end).toEqual({ stopped: 'requests', left: [] })
    expect(result.notCovered).toMatchObject({ createView: 'the run has sent its maximum number of requests' })
    expect(await isInTrash(pageId)).toBe(true)
  })

  it('when the page is created but the response is 500', async () => {
    const before = await leftovers()
    altering.alteration = (response, { method, url }) => {
      if (method === 'POST' && url === '/v1/pages') Object.assign(response, { status: 500, body: {} })
    }
    await expect(conformFully(altering.url)).rejects.toThrow('The run could not create its page')
    expect(await leftovers()).toEqual(before)
  })

  it('or names the page when the server refuses to trash it', async () => {
    altering.alteration = (response, { method, url, body }) => {
      if (method === 'PATCH' && url.startsWith('/v1/pages/') && body === '{"in_trash":true}')
        Object.assign(response, { status: 500, body: {} })
    }
    const { end, pageId } = await conformFully(altering.url, { clientOptions: { requestsMax: 5 } })
    expect(end.left).toEqual([`the page ${pageId} (the response was 500)`])
  })
})

describe('the command conform --full', () => {
  it('runs without --inside, and writes a report', async () => {
    const { code, output, errors } = await new InProcessCommandLine('sqlite::memory:', { CONFORM_TOKEN: TOKEN }).run([
      'conform',
      service.url,
      '--full',
      '--only',
      'createFileUpload',
      '--json',
    ])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(parseObject(output)).toMatchObject({ command: 'conform', findings: [] })
  })

  inLongRuns(it)('moves its test page to the trash after SIGINT', async () => {
    const before = await leftovers()
    const words = ['conform', service.url, '--full', '--inside', PLACE]
    const child = spawnProcess('cli/main.js', words, { CONFORM_TOKEN: TOKEN })
    await expect.poll(() => child.errors()).toContain('All records are created in the page ')
    child.kill('SIGINT')
    const { code } = await child.ended
    expect(code).toBe(130)
    expect(child.output()).toContain('The run was interrupted.\nThe page is in the trash.')
    expect(await leftovers()).toEqual(before)
  })
})

it.each([
  [['--inside', PLACE], '--inside requires --full.'],
  [['--agent', AGENT], '--agent requires --full.'],
  [['--full', '--requests', '0'], '--requests must be a whole number from 1 to 100000.'],
])('the command conform exits with 2 for %j', async (words, message) => {
  const { code, errors } = await new InProcessCommandLine('sqlite::memory:').run([
    'conform',
    service.url,
    '--token',
    TOKEN,
    ...words,
  ])
  expect(code).toBe(2)
  expect(errors).toContain(message)
})
