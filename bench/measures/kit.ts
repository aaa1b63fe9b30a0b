import { newestRelease } from '../../generated/operations.ts'
import { createTestServer, type TestServer } from '../../testkit/src/index.ts'
import { bar } from '../progress.ts'

/** Milliseconds of every round that tests spend waiting for their server. */
export interface KitFigures {
  readonly blocks: number
  /** From the call until the server responds, not counting the first server of the process. */
  readonly ready: readonly number[]
  /** Creating another workspace. */
  readonly workspace: readonly number[]
  readonly snapshot: readonly number[]
  /** From the call to the first response after it. */
  readonly restore: readonly number[]
  /** Milliseconds to retrieve a page in memory (without a socket), and over the port. */
  readonly inMemory: readonly number[]
  readonly bySocket: readonly number[]
}

const CHILDREN_AT_ONCE = 100
const APPENDS = 100
const WORKSPACES = 20
const REQUESTS = 100

/** Runs everything in this process, as in a test runner. */
export async function measureKit(rounds: number): Promise<KitFigures> {
  await (await createTestServer()).close()
  const ready: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [server, milliseconds] = await timed(() => createTestServer())
    ready.push(milliseconds)
    await server.close()
  }
  await using server = await createTestServer()
  const page = await fill(server)
  const retrieve = async (): Promise<void> => void (await (await server.workspace.fetch(`/v1/pages/${page}`)).text())
  const headers = { Authorization: `Bearer ${server.token}`, 'Service-Version': newestRelease }
  const retrieveBySocket = async (): Promise<void> =>
    void (await (await fetch(`${server.url}/v1/pages/${page}`, { headers })).text())
  const figures = { workspace: [], snapshot: [], restore: [], inMemory: [], bySocket: [] } as Record<
    Exclude<keyof KitFigures, 'blocks' | 'ready'>,
    number[]
  >
  for (let round = 0; round < rounds; round += 1) {
    figures.snapshot.push((await timed(() => server.snapshot('filled')))[1])
    figures.workspace.push((await timed(() => repeated(WORKSPACES, () => server.createWorkspace())))[1] / WORKSPACES)
    figures.restore.push((await timed(() => server.restore('filled').then(retrieve)))[1])
    figures.inMemory.push((await timed(() => repeated(REQUESTS, retrieve)))[1] / REQUESTS)
    figures.bySocket.push((await timed(() => repeated(REQUESTS, retrieveBySocket)))[1] / REQUESTS)
    bar('test kit', (round + 1) / rounds)
  }
  return { blocks: APPENDS * CHILDREN_AT_ONCE, ready, ...figures }
}

/** @returns a page with all the blocks */
async function fill({ workspace }: TestServer): Promise<string> {
  const send = async (method: string, path: string, body: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await workspace.fetch(path, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const { id } = (await send('POST', '/v1/pages', { markdown: 'A page with many blocks' })) as { readonly id: string }
  const children = Array.from({ length: CHILDREN_AT_ONCE }, (_, index) => ({
    paragraph: {
      rich_text: [{ text: { content: `Line ${index} of a page, about as long as a sentence that somebody writes.` } }],
    },
  }))
  await repeated(APPENDS, () => send('PATCH', `/v1/blocks/${id}/children`, { children }))
  return id
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work()
}

async function timed<T>(work: () => Promise<T>): Promise<[result: T, milliseconds: number]> {
  const start = performance.now()
  const result = await work()
  return [result, performance.now() - start]
}
