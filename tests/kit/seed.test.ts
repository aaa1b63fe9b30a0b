import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SeedError, type Seed } from '../../testkit/src/index.ts'
import { useTestServer } from '../../testkit/src/vitest.ts'
import { scratchFolder } from '../harness/databases.ts'
import { at } from '../harness/json.ts'
import { responseOf, call } from './support/responses.ts'

const server = await useTestServer({ port: 'none' })
const { workspace } = server

/** The seed of the guide to testing. */
const YAML = await guideSeed()

async function guideSeed(): Promise<string> {
  const guide = await readFile(join(import.meta.dirname, '../../spec/guides/07-testing.md'), 'utf8')
  return /```yaml\n(.+?)```/s.exec(guide)?.[1] ?? ''
}

async function file(text: string, name = 'seed.yaml'): Promise<string> {
  const path = join(scratchFolder('seed-'), name)
  await writeFile(path, text)
  return path
}

describe('a seed', () => {
  it('fills the workspace with pages, databases, people and tokens, and returns their ids', async () => {
    const { pages, databases, people, tokens } = await server.seed(await file(YAML))
    const page = await call(workspace, 'retrievePage', { path: { page_id: pages['may'] ?? '' } })
    expect(page.body).toMatchObject({ parent: { page_id: pages['log book'] } })
    const rows = await call(workspace, 'queryDataSource', {
      path: { data_source_id: databases['boats']?.dataSourceId ?? '' },
      body: { filter: { property: 'Length', number: { equals: 7 } } },
    })
    expect(at(rows.body, 'results', 0, 'id')).toBe(pages['gull'])
    const as = (token = ''): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } })
    const ada = await responseOf('retrieveMe', await workspace.fetch('/v1/users/me', as(tokens['ada'])))
    expect(ada.body).toMatchObject({ id: people['ada@example.org'], name: 'Ada' })
    const reads = async (name: string): Promise<number> =>
      (await responseOf('retrievePage', await workspace.fetch(`/v1/pages/${pages[name]}`, as(tokens['reader'])))).status
    expect([await reads('may'), await reads('log book')]).toEqual([200, 404])
  })

  it('may be JSON or an object, and may be applied to any workspace', async () => {
    const seed: Seed = { pages: [{ name: 'one', markdown: 'One' }] }
    const other = await server.createWorkspace()
    const { pages } = await server.seed(await file(JSON.stringify(seed), 'seed.json'), other)
    expect((await call(other, 'retrievePage', { path: { page_id: pages['one'] ?? '' } })).status).toBe(200)
    expect((await call(workspace, 'retrievePage', { path: { page_id: pages['one'] ?? '' } })).status).toBe(404)
    await server.seed(seed)
    expect(at((await call(workspace, 'search', { body: {} })).body, 'results')).toHaveLength(1)
  })

  it.each([
    ['boats: []', 'boats', 'boats: is not a key of a seed. The keys are people, tokens, pages, databases, agents.'],
    ['pages: {}', 'pages', 'pages should be a list.'],
    ['pages: [One]', 'pages[0]', 'pages[0] should be an object.'],
    ['- pages', 'seed', 'seed should be an object with people, tokens, pages, databases, agents.'],
    ['pages: [{ color: red }]', 'pages[0].color', 'pages[0].color should'],
    [
      'pages: [{ markdown: One, pages: [{}, { icon: { emoji: 7 } }] }]',
      'pages[0].pages[1].icon.emoji',
      'icon.emoji should be a string',
    ],
    ['pages: [{ markdown: One, allow_async: true }]', 'pages[0].allow_async', 'should be omitted'],
    ['databases: [{ page: nowhere }]', 'databases[0].page', 'databases[0].page: the seed contains no page "nowhere".'],
    ['people: [{ name: Ada, email: ada }]', 'people[0]', 'people[0]: "ada" is not an email address.'],
    ['people: [{ name: Ada, email: a@example.org, role: captain }]', 'people[0]', 'people[0]: role should be one of owner'],
    ['tokens: [{ name: x, capabilities: [fly] }]', 'tokens[0]', 'tokens[0]: "fly" is not a capability.'],
    ['tokens: [{ name: x, person: nobody }]', 'tokens[0]', 'tokens[0]: the seed contains no person "nobody".'],
  ])('is refused with the location of the error, and leaves nothing: %s', async (text, path, message) => {
    const failure: unknown = await server.seed(await file(`# A seed that begins well\n${text}`)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SeedError)
    expect(failure).toMatchObject({ path, message: expect.stringContaining(message) })
    expect(at((await call(workspace, 'search', { body: {} })).body, 'results')).toEqual([])
  })

  it('is refused with file and line if it is not YAML', async () => {
    const path = await file('pages: [')
    await expect(server.seed(path)).rejects.toThrow(new RegExp(`^${path}: .*line 1`))
  })
})
