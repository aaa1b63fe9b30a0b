import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createTestServer } from '../../testkit/src/index.ts'
import { markStart, reset } from '../../testkit/src/reset.ts'
import { contractProblems } from '../harness/responses.ts'
import { scratchFolder } from '../harness/databases.ts'
import { at } from '../harness/json.ts'
import { call } from './support/responses.ts'

const server = await createTestServer({ port: 'none' })
afterAll(() => server.close())
await markStart(server)
afterEach(() => reset(server))
const { workspace, journal } = server

const title = (content: string): object => ({ title: [{ text: { content } }] })
const make = async (id: 'createPage' | 'createDatabase', body: object): Promise<string> =>
  String((await call(workspace, id, { body })).body['id'])
const titles = async (): Promise<unknown[]> => {
  const { body } = await call(workspace, 'search', { body: {} })
  return (body['results'] as object[])
    .map((result) => JSON.stringify(result))
    .map((text) => /"plain_text":"(.*?)"/.exec(text)?.[1])
}

describe('a seed made from the journal', () => {
  it('recreates the objects that the requests created, as of their last change', async () => {
    const log = await make('createPage', { properties: title('Log book') })
    await call(workspace, 'appendBlockChildren', {
      path: { block_id: log },
      body: { children: [{ paragraph: { rich_text: [{ text: { content: 'Low water at nine' } }] } }] },
    })
    await make('createPage', { parent: { page_id: log.replaceAll('-', '') }, markdown: '# May\n\nNeap tide' })
    const gone = await make('createPage', { parent: { page_id: log }, properties: title('Gone') })
    await call(workspace, 'updatePage', { path: { page_id: gone }, body: { in_trash: true } })
    const database = await call(workspace, 'createDatabase', {
      body: {
        parent: { page_id: log },
        ...title('Boats'),
        initial_data_source: { properties: { Name: { title: {} }, Length: { number: {} } } },
      },
    })
    const source = String(at(database.body, 'data_sources', 0, 'id'))
    const row = await make('createPage', { parent: { data_source_id: source }, properties: { Name: title('Gull') } })
    await call(workspace, 'updatePage', { path: { page_id: row }, body: { properties: { Length: { number: 7 } } } })
    const { seed, leftOut } = journal.toSeed()
    expect(leftOut).toEqual([])
    const before = await titles()

    await reset(server)
    const { pages, databases } = await server.seed(seed)
    expect(Object.keys(pages)).toEqual(['Log book', 'May', 'Gull'])
    expect((await titles()).toSorted()).toEqual(before.filter((one) => one !== 'Gone').toSorted())
    const found = await call(workspace, 'queryDataSource', {
      path: { data_source_id: databases['Boats']?.dataSourceId ?? '' },
      body: { filter: { property: 'Length', number: { equals: 7 } } },
    })
    expect(at(found.body, 'results', 0, 'id')).toBe(pages['Gull'])
    const children = await call(workspace, 'listBlockChildren', { path: { block_id: pages['Log book'] ?? '' } })
    expect(JSON.stringify(children.body)).toContain('Low water at nine')
  })

  it('lists the omitted requests with reasons', async () => {
    const page = await make('createPage', { markdown: 'Low water' })
    await call(workspace, 'createComment', { body: { parent: { page_id: page }, rich_text: [{ text: { content: 'Really?' } }] } })
    await call(workspace, 'createPage', {
      body: { children: [{ link_to_page: { type: 'page_id', page_id: page } }] },
    })
    await call(workspace, 'createPage', { body: { markdown: 'x' }, headers: { 'Service-Version': '2025-09-03' } })
    await call(workspace, 'createPage', { body: { markdown: 7 } })
    await call(workspace, 'retrievePage', { path: { page_id: page } })
    const path = join(scratchFolder('seed-'), 'recorded.yaml')
    expect(await journal.saveSeed(path)).toEqual([
      { operation: 'createComment', path: '/v1/comments', reason: 'A seed cannot contain it.' },
      { operation: 'createPage', path: '/v1/pages', reason: 'It refers by id to what another request created.' },
      { operation: 'createPage', path: '/v1/pages', reason: 'Its version is not 2026-03-11.' },
    ])
    expect(parse(await readFile(path, 'utf8'))).toEqual({ pages: [{ name: 'Low water', markdown: 'Low water' }] })
  })

  it('gives different names to pages with the same title', async () => {
    for (const markdown of ['Tide', 'Tide', '']) await make('createPage', markdown === '' ? {} : { markdown })
    expect(journal.toSeed().seed.pages?.map(({ name }) => name)).toEqual(['Tide', 'Tide 2', 'page'])
  })
})

describe('examples made from the journal', () => {
  it('are files that conform to the contract, one for each response', async () => {
    const page = await make('createPage', { markdown: 'Low water' })
    await make('createPage', { markdown: 'High water' })
    await call(workspace, 'retrievePage', { path: { page_id: workspace.id } })
    await call(workspace, 'retrievePage', { path: { page_id: page } })
    const folder = scratchFolder('examples-')
    await journal.saveExamples(folder)
    expect((await readdir(folder)).toSorted()).toEqual([
      'CreatePageRecorded.yaml',
      'CreatePageRecordedRequest.yaml',
      'RetrievePageRecorded.yaml',
      'RetrievePageRecordedObjectNotFound.yaml',
    ])
    const example = parse(await readFile(join(folder, 'RetrievePageRecorded.yaml'), 'utf8')) as { value: object; summary: string }
    expect(example.summary).toBe(`GET /v1/pages/${page}, 200`)
    const headers = journal.received('retrievePage', { status: 200 })[0]?.response.headers ?? {}
    const raw = { status: 200, headers, text: JSON.stringify(example.value) }
    expect(contractProblems('retrievePage', 'GET', raw)).toEqual([])
    expect(parse(await readFile(join(folder, 'CreatePageRecordedRequest.yaml'), 'utf8'))).toEqual({
      summary: 'POST /v1/pages',
      value: { markdown: 'Low water' },
    })
  })
})
