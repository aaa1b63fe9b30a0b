import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../../harness/databases.ts'
import { spawnProcess, until, type ServiceProcess } from '../../harness/process.ts'
import {
  cursorRing,
  deepValue,
  endlessBody,
  endlessList,
  gzipBomb,
  longWait,
  manyValues,
  sends,
  startHostileServer,
  type Attack,
  type HostileServer,
} from './support/hostile_server.ts'

const RESIDENT_MB_MAX = 300
const LOOK_EVERY_MS = 50

let server: HostileServer
beforeAll(async () => {
  server = await startHostileServer()
})
afterAll(() => server.close())

/** The most memory that a process has had resident, in megabytes, once `work` has ended. */
async function peakOf(child: ServiceProcess, work: Promise<unknown>): Promise<number> {
  let peak = 0
  const timer = setInterval(() => {
    try {
      peak = Math.max(peak, Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024)
    } catch {
      // It has ended.
    }
  }, LOOK_EVERY_MS)
  await work.finally(() => clearInterval(timer))
  expect(peak).toBeGreaterThan(0)
  return peak
}

/** Runs a program against the server to its end. @returns what it printed */
async function outcomeOf(script: string, words: readonly string[], settings: Record<string, string> = {}): Promise<string> {
  const child = spawnProcess(script, words, settings)
  expect(await peakOf(child, child.ended)).toBeLessThan(RESIDENT_MB_MAX)
  return `${child.output()}${child.errors()}`
}

const BYTES = 'listUsers: body: expected at most 33554432 bytes, found more.'
const LOOP = 'listUsers: next_cursor: expected a new cursor on each page, found one of an earlier page.'

const ATTACKS: readonly (readonly [what: string, attack: Attack, clientSays: string])[] = [
  ['a body without an end', endlessBody, BYTES],
  ['4.5 GB in gzip', gzipBomb, BYTES],
  ['a value of ten million levels', deepValue, 'listUsers: body: expected at most 200 nested levels, found more.'],
  ['nine million values', manyValues, 'listUsers: body: expected at most 1000000 values, found more.'],
  ['the same cursor on each page', cursorRing(1), LOOP],
  ['cursors that lead back to the first', cursorRing(7), LOOP],
  ['a list without an end', endlessList, 'listUsers: list: expected at most 2000 items, found more.'],
  ['the wish to wait for three years', longWait, 'rate_limited'],
]

describe('the client of a hostile server', () => {
  it.each(ATTACKS)('ends with a clear error, within its memory, for %s', async (_what, attack, says) => {
    server.attack(attack)
    expect(await outcomeOf('tests/limits/once/support/client_of_hostile_server.ts', [server.url])).toBe(`${says}\n`)
  })
})

/** A page with a block that is inside itself. */
const ownChild: Attack = (response, request) => {
  const id = '5df6f817-b099-4bcf-a0ec-6db25097c040'
  const block = '95814675-5260-4ba9-9362-3b53b93e295f'
  const path = request.url ?? ''
  const text = [{ type: 'text', text: { content: 'Again' }, plain_text: 'Again' }]
  const page = { object: 'page', id, parent: { type: 'workspace', workspace: true }, created_time: '2026-01-01T00:00:00.000Z' }
  const toggle = { object: 'block', id: block, type: 'toggle', has_children: true, toggle: { rich_text: text } }
  const results = path.includes('/children') ? [toggle] : path.includes('/search') ? [{ ...page, properties: {} }] : []
  sends({ object: 'list', results, has_more: false, next_cursor: null, ...(path.includes('/me') ? me : {}) })(response, request)
}
const me = { object: 'user', id: '6794760a-1f15-45cd-9c65-0dfe42f5135a', type: 'bot', bot: { workspace_name: 'Hostile' } }

describe('clone of a hostile server', () => {
  const cloned = (attack: Attack): Promise<string> => {
    // What begins a clone is answered well.
    server.attack((response, request) => (request.url?.includes('/me') ? sends(me) : attack)(response, request))
    const folder = scratchFolder('clone-')
    const words = ['clone', server.url, '--token', 'secret_of_nobody', '--progress', `${folder}/progress`]
    return outcomeOf('server/cli.js', words, { DATABASE_URL: `sqlite:${folder}/db`, FILES_URL: `file:${folder}/files` })
  }

  it.each(ATTACKS.filter(([, attack]) => attack !== endlessList && attack !== longWait))(
    'ends with a clear error, within its memory, for %s',
    async (_what, attack, says) => {
      expect(await cloned(attack)).toContain(says.replace('listUsers', 'SOME').split('SOME: ')[1])
    },
  )

  it('copies a block that is inside itself once, and says so', async () => {
    const report = await cloned(ownChild)
    expect(report).toContain('It is said to be inside itself')
    expect(report).toContain('Copied 1 pages')
  })

  it('does not wait for three years', async () => {
    server.attack(longWait)
    const folder = scratchFolder('clone-')
    const words = ['clone', server.url, '--token', 'secret_of_nobody', '--progress', `${folder}/progress`]
    const child = spawnProcess('server/cli.js', words, { DATABASE_URL: `sqlite:${folder}/db` })
    await until(() => (server.requests() > 0 ? true : undefined))
    child.kill()
    await child.ended
  })
})

describe('proxy before a hostile server', () => {
  const POURED = 400 * 2 ** 20

  it.each(ATTACKS.slice(0, 4))('passes it on within its memory: %s', async (_what, attack) => {
    server.attack(attack)
    const proxy = spawnProcess('server/cli.js', ['proxy', '--target', server.url, '--port', '0'], {})
    const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(proxy.errors() + proxy.output())?.[0], proxy)
    const peak = peakOf(proxy, proxy.ended)
    let bytes = 0
    await fetch(`${url}/v1/users`, { headers: { Authorization: 'Bearer secret_of_nobody' } }).then(async ({ body }) => {
      for await (const chunk of body ?? []) if ((bytes += chunk.length) > POURED) break
    })
    proxy.kill()
    expect(await peak).toBeLessThan(RESIDENT_MB_MAX)
    expect(bytes).toBeGreaterThan(0)
  })
})

describe('conform against a hostile server', () => {
  const LIMITS = 'body: expected at most 4194304 bytes, 200000 values and 200 nested levels, found more'

  it.each(ATTACKS)('ends with a report, within its memory, for %s', async (_what, attack) => {
    server.attack(attack)
    const words = ['conform', server.url, '--token', 'secret_of_nobody', '--only', 'listUsers']
    const report = await outcomeOf('server/cli.js', words, {})
    expect(report).toContain('listUsers')
    if ([endlessBody, gzipBomb, deepValue, manyValues].includes(attack)) expect(report).toContain(LIMITS)
    if (attack === longWait) expect(report).toContain('expected at most 120 seconds, found 99999999')
    if (attack === cursorRing(1)) expect(report).toContain('a cursor leads to itself')
  })
})
