import { afterEach, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeConnection } from '../../harness/connections.ts'
import { append, appendOne, makePage, paragraph } from '../../harness/content.ts'
import { MEBIBYTE, upload } from '../../harness/files.ts'
import { textAt } from '../../harness/json.ts'
import { someRows } from '../../harness/long_runs.ts'
import { until } from '../../harness/process.ts'
import { openBytes, type OpenSocket } from '../../harness/raw_socket.ts'
import { startTestServer, TOKEN, type TestServer } from '../../harness/server.ts'

/** Responses that are never read: they do not occupy slots of other callers, use bounded memory, and time out. */

const LOCATIONS = 8
/** Maximum waiting responses: of all callers, of one address, of one caller. */
const [ROOM, ROOM_OF_ADDRESS, ROOM_OF_CALLER] = [4 * LOCATIONS, 2 * LOCATIONS, LOCATIONS]
/** More than the buffers of two sockets hold. */
const FILE_BYTES = 9 * MEBIBYTE

let server: TestServer
let page: string
let link: string
const open: OpenSocket[] = []
afterEach(async () => {
  for (const { socket } of open.splice(0)) socket.destroy()
  await server.stop()
})

/** Starts a service with a page whose children are large, and a file. */
async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  server = await startTestServer({ REQUESTS_IN_FLIGHT_MAX: String(LOCATIONS), ...settings })
  page = await makePage(server.owner)
  await append(
    server.owner,
    page,
    Array.from({ length: 100 }, () => paragraph('x'.repeat(400))),
  )
  const id = await upload(server.owner, Buffer.alloc(FILE_BYTES, 'x'), 'tides.txt')
  const block = await appendOne(server.owner, exampleWorkspace.pages.checklist, { file: { file_upload: { id } } })
  const { body } = await server.owner.call('retrieveBlock', { path: { block_id: block } })
  link = textAt(body, 'file', 'file', 'url').slice(server.url.length)
}

interface UnreadRequest {
  readonly token?: string
  readonly from?: string
  readonly targets?: readonly string[]
}

/** Requests a file and, pipelined on the same connection, API resources; reads nothing. */
function send({
  token = TOKEN,
  from,
  targets = [`/v1/blocks/${page}/children`, `/v1/pages/${page}/markdown`],
}: UnreadRequest): OpenSocket {
  const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\nService-Version: ${newestRelease}\r\n\r\n`
  const one = openBytes(server.url, [link, ...targets].map((target) => `GET ${target} HTTP/1.1\r\n${headers}`).join(''), from)
  one.socket.pause()
  open.push(one)
  return one
}

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}
const unsent = (): Promise<number> => figure('workspace_unsent_answers')
const unsentOf = (number: number): Promise<true> => until(async () => ((await unsent()) === number ? true : undefined))

/**
 * Sends requests of another caller meanwhile.
 * @returns the share that got 200
 */
async function servedOf(times: number): Promise<number> {
  const responses: number[] = []
  for (let count = 0; count < times; count += 1) {
    const [me, list, changed] = await Promise.all([
      server.owner.call('retrieveMe'),
      server.owner.call('listBlockChildren', { path: { block_id: page } }),
      server.owner.call('appendBlockChildren', {
        path: { block_id: exampleWorkspace.pages.checklist },
        body: { children: [paragraph('meanwhile')] },
      }),
    ])
    responses.push(me.status, list.status, changed.status)
  }
  return responses.filter((status) => status === 200).length / responses.length
}

describe('more unread responses than slots', () => {
  const attackers: [count: number, addresses: string[], most: number][] = [
    [2, ['127.0.0.1'], ROOM_OF_ADDRESS],
    [100, ['127.0.0.1', '127.0.0.2', '127.0.0.3'], ROOM],
    [10, ['127.0.0.1'], ROOM_OF_ADDRESS],
  ]
  it.each(someRows(attackers))('of %i tokens do not affect other callers', async (count, addresses, most) => {
    await start()
    const tokens: string[] = []
    while (tokens.length < count)
      tokens.push(
        (await makeConnection(server, { capabilities: ['read_content'], grants: [exampleWorkspace.workspace.id] })).token,
      )
    const attack = async (): Promise<void> => {
      for (let index = 0; index < Math.max(count, 2 * LOCATIONS); index += 1)
        send({ token: tokens[index % count] ?? '', from: addresses[index % addresses.length] ?? '' })
      await until(async () => ((await unsent()) >= ROOM_OF_CALLER ? true : undefined))
      // Generating the responses takes time; wait until they wait for their reader.
      await until(async () => ((await servedOf(5)) === 1 ? true : undefined))
    }
    await attack()
    const before = await servedOf(5)
    await attack()
    expect((before + (await servedOf(5))) / 2).toBeGreaterThanOrEqual(0.9)
    expect(await unsent()).toBeLessThanOrEqual(most)
  })

  it('are bounded for each caller: the oldest response is aborted, and its connection is closed', async () => {
    await start()
    const first = send({})
    await unsentOf(3)
    expect(await servedOf(2)).toBe(1)
    for (let count = 0; count < ROOM_OF_CALLER; count += 1) send({ targets: [] })
    first.socket.resume()
    expect((await first.ended).length).toBeLessThan(FILE_BYTES)
    await unsentOf(ROOM_OF_CALLER)
  })
})

describe('a response with a minimum read rate', () => {
  const settings = { ANSWER_GRACE_SECONDS: '1', ANSWER_BYTES_PER_SECOND_MIN: '1000000' }

  it('is aborted, and its connection closed, when the client reads below the rate', async () => {
    await start(settings)
    const one = send({})
    await unsentOf(3)
    await unsentOf(0)
    one.socket.resume()
    expect((await one.ended).length).toBeLessThan(FILE_BYTES)
    expect(await figure('workspace_requests_in_flight')).toBe(0)
  })

  it('arrives completely when a slow client reads above the rate, even while the service stops', async () => {
    await start({ ...settings, ANSWER_BYTES_PER_SECOND_MIN: '500' })
    const one = send({})
    await unsentOf(3)
    const stopped = server.stop()
    const taken = setInterval(() => {
      one.socket.resume()
      setTimeout(() => one.socket.pause(), 1)
    }, 20)
    const text = await one.ended
    clearInterval(taken)
    await stopped
    expect(text.split('HTTP/1.1 200 OK')).toHaveLength(4)
    expect(text).toContain('"truncated"')
  })
})

describe('too many connections of one address', () => {
  it('close its idle connections first, so that new clients are served', async () => {
    server = await startTestServer({ CONNECTIONS_MAX: '16' })
    const idle = Array.from({ length: 12 }, () => openBytes(server.url, 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\n', '127.0.0.2'))
    open.push(...idle)
    await Promise.all(idle.slice(0, 8).map(({ ended }) => ended))
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
    expect(idle.filter(({ socket }) => socket.readyState === 'open')).toHaveLength(4)
  })
})
