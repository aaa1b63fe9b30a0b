import { afterEach, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, paragraph } from '../../harness/content.ts'
import { expectError } from '../../harness/expectations.ts'
import { create, file, png, send } from '../../harness/files.ts'
import { idOf } from '../../harness/json.ts'
import { basic, makeClient } from '../../harness/oauth.ts'
import { someRows } from '../../harness/long_runs.ts'
import { until } from '../../harness/process.ts'
import { openBytes, readResponse, type OpenSocket } from '../../harness/raw_socket.ts'
import { startTestServer, TOKEN, type TestServer } from '../../harness/server.ts'

/** Bodies that never end: they do not occupy slots of other callers, use bounded memory, and time out. */

const LOCATIONS = 8
/** Maximum bodies in flight: of all callers, of one address, of one caller. */
const [ROOM, ROOM_OF_ADDRESS, ROOM_OF_CALLER] = [4 * LOCATIONS, 2 * LOCATIONS, LOCATIONS]
const BODY_BYTES_MAX = 512_000

let server: TestServer
const open: OpenSocket[] = []
afterEach(async () => {
  for (const { socket } of open.splice(0)) socket.destroy()
  await server.stop()
})

interface Half {
  readonly token?: string
  readonly target?: string
  readonly type?: string
  readonly headers?: string
  readonly body?: string
  readonly from?: string
}

/** Sends a request whose body does not end. */
function sendHalf(half: Half): OpenSocket {
  const {
    token = TOKEN,
    target = `PATCH /v1/blocks/${exampleWorkspace.pages.checklist}/children`,
    type = 'application/json',
  } = half
  const {
    headers = `Authorization: Bearer ${token}\r\nService-Version: ${newestRelease}\r\n`,
    body = '{"children":[',
    from,
  } = half
  const one = openBytes(
    server.url,
    `${target} HTTP/1.1\r\nHost: x\r\n${headers}Content-Type: ${type}\r\nContent-Length: ${BODY_BYTES_MAX}\r\n\r\n${body}`,
    from,
  )
  open.push(one)
  return one
}

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}
const unfinished = (): Promise<number> => figure('workspace_unfinished_bodies')

async function makeTokens(count: number): Promise<string[]> {
  const made: string[] = []
  while (made.length < count)
    made.push((await makeConnection(server, { capabilities: ['insert_content'], grants: [exampleWorkspace.workspace.id] })).token)
  return made
}

/**
 * Sends requests of another caller meanwhile: reads, writes and files.
 * @returns the number that got 200
 */
async function servedOf(times: number): Promise<number> {
  const page = await makePage(server.owner)
  let served = 0
  for (let count = 0; count < times; count += 1) {
    const responses = await Promise.all([
      server.owner.call('retrieveMe'),
      server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children: [paragraph('x'.repeat(2000))] } }),
      create(server.owner).then((made) => send(server.owner, idOf(made), file(png, 'dock.png', 'image/png'))),
    ])
    served += responses.filter(({ status }) => status === 200).length / responses.length
  }
  return served
}

describe('more unfinished bodies than slots', () => {
  const attackers: [count: number, addresses: string[], most: number][] = [
    [2, ['127.0.0.1'], 2 * ROOM_OF_CALLER],
    [100, ['127.0.0.1', '127.0.0.2', '127.0.0.3'], ROOM],
    [10, ['127.0.0.1'], ROOM_OF_ADDRESS],
  ]
  it.each(someRows(attackers))('of %i tokens do not affect other callers', async (count, addresses, most) => {
    server = await startTestServer({ REQUESTS_IN_FLIGHT_MAX: String(LOCATIONS) })
    const tokens = await makeTokens(count)
    const attack = async (): Promise<void> => {
      for (let index = 0; index < Math.max(count, 5 * LOCATIONS); index += 1)
        sendHalf({ token: tokens[index % count] ?? '', from: addresses[index % addresses.length] ?? '' })
      await until(async () => ((await unfinished()) >= Math.min(most, LOCATIONS) ? true : undefined))
    }
    await attack()
    const before = await servedOf(10)
    await attack()
    expect(before + (await servedOf(10))).toBeGreaterThanOrEqual(18)
    expect(await unfinished()).toBeLessThanOrEqual(most)
  })

  it('529 and a closed connection for the oldest body of the caller with the most unfinished ones, while newer bodies are accepted', async () => {
    server = await startTestServer({ REQUESTS_IN_FLIGHT_MAX: String(LOCATIONS) })
    const first = sendHalf({})
    await until(async () => ((await unfinished()) === 1 ? true : undefined))
    for (let count = 0; count < ROOM_OF_CALLER; count += 1) sendHalf({})
    expectError(readResponse(await first.ended), 529, 'service_overload')
    expect(await unfinished()).toBe(ROOM_OF_CALLER)
  })

  it('use at most as much memory as complete bodies in every slot', async () => {
    server = await startTestServer({ REQUESTS_IN_FLIGHT_MAX: String(LOCATIONS) })
    const big = { body: `{"children":[${' '.repeat(400_000)}` }
    const tokens = await makeTokens(2)
    const begun = Array.from({ length: 2 * LOCATIONS }, (_none, index) => sendHalf({ ...big, token: tokens[index % 2] ?? '' }))
    const most = Math.floor((LOCATIONS * BODY_BYTES_MAX) / 400_000)
    await until(async () => {
      const rejected = open.filter(({ socket }) => socket.bytesRead > 0).length
      return rejected >= begun.length - most && (await unfinished()) <= most ? true : undefined
    })
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
  })

  it('of an OAuth client do not affect other callers', async () => {
    server = await startTestServer({ REQUESTS_IN_FLIGHT_MAX: String(LOCATIONS) })
    const { clientId, clientSecret } = await makeClient(server)
    const headers = `Authorization: ${basic(clientId, clientSecret)}\r\n`
    for (let count = 0; count < 2 * LOCATIONS; count += 1) sendHalf({ target: 'POST /v1/oauth/token', headers })
    await until(async () => ((await unfinished()) === ROOM_OF_CALLER ? true : undefined))
    expect(await servedOf(3)).toBe(3)
  })
})

describe('a request body', () => {
  const form = 'application/x-www-form-urlencoded'

  it('400 invalid_request and a closed connection for JSON, files and OAuth forms sent below the minimum rate', async () => {
    server = await startTestServer({ BODY_GRACE_SECONDS: '1', BODY_BYTES_PER_SECOND_MIN: '1000' })
    const client = await makeClient(server)
    const asClient = `Authorization: ${basic(client.clientId, client.clientSecret)}\r\n`
    const upload = idOf(await create(server.owner))
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx'
    const begun: readonly [name: string, half: OpenSocket][] = [
      ['JSON', sendHalf({})],
      [
        'a file',
        sendHalf({ target: `POST /v1/file_uploads/${upload}/send`, type: 'multipart/form-data; boundary=b', body: part }),
      ],
      ['JSON of a client', sendHalf({ target: 'POST /v1/oauth/token', headers: asClient })],
      ['a form of a client', sendHalf({ target: 'POST /v1/oauth/token', headers: asClient, type: form, body: 'a=' })],
      ['an unauthenticated form', sendHalf({ target: 'POST /v1/oauth/authorize', headers: '', type: form, body: 'a=' })],
      ['a sign-in', sendHalf({ target: 'POST /sign-in', headers: '', type: form, body: 'a=' })],
    ]
    const trickle = setInterval(() => begun.forEach(([, { socket }]) => socket.write('x')), 50)
    const found = await Promise.all(
      begun.map(async ([name, { ended }]) => {
        const text = await ended
        const [head = ''] = text.split('\r\n\r\n', 1)
        const isExplained = text.includes('The body of this request did not arrive in time')
        return [name, head.split('\r\n', 1)[0], /^connection: close$/im.test(head), isExplained, text.split('HTTP/1.1').length]
      }),
    )
    clearInterval(trickle)
    expect(found).toEqual(begun.map(([name]) => [name, 'HTTP/1.1 400 Bad Request', true, true, 2]))
    expect(await figure('workspace_requests_in_flight')).toBe(0)
  })

  it('200 when sent slowly, but above the minimum rate', async () => {
    server = await startTestServer({ BODY_GRACE_SECONDS: '1', BODY_BYTES_PER_SECOND_MIN: '1000' })
    const body = JSON.stringify({ children: [] }).padEnd(BODY_BYTES_MAX)
    const { socket, ended } = sendHalf({
      headers: `Connection: close\r\nAuthorization: Bearer ${TOKEN}\r\nService-Version: ${newestRelease}\r\n`,
      body: body.slice(0, 100_000),
    })
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    socket.write(body.slice(100_000))
    expect(await ended).toMatch(/^HTTP\/1\.1 200 /)
  })
})
