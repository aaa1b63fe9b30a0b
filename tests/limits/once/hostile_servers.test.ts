import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../../harness/databases.ts'
import { spawnWithPeakMemory, type MeasuredProcess } from '../../harness/peak_memory.ts'
import { isLongRun, someRows } from '../../harness/long_runs.ts'
import { until } from '../../harness/process.ts'
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

const BYTES = 'body: expected at most 33554432 bytes, found more.'
const LOOP = 'next_cursor: expected a new cursor on each page, found one of an earlier page.'

interface Case {
  readonly what: string
  readonly attack: Attack
  /** The client's error for this attack. */
  readonly error: string
}

const FLOODS: readonly Case[] = [
  { what: 'an endless body', attack: endlessBody, error: BYTES },
  { what: '4.5 GB in gzip', attack: gzipBomb, error: BYTES },
  { what: 'a value of ten million levels', attack: deepValue, error: 'body: expected at most 200 nested levels, found more.' },
  { what: 'nine million values', attack: manyValues, error: 'body: expected at most 1000000 values, found more.' },
]
const RINGS: readonly Case[] = [
  { what: 'the same cursor on each page', attack: cursorRing(1), error: LOOP },
  { what: 'cyclic cursors', attack: cursorRing(7), error: LOOP },
]
const ENDLESS: Case = {
  what: 'an endless list',
  attack: endlessList,
  error: 'list: expected at most 500 items, found more.',
}
const WAIT: Case = { what: 'a Retry-After of three years', attack: longWait, error: 'rate_limited' }
const ALL = [...FLOODS, ...RINGS, ENDLESS, WAIT]

const servers: HostileServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

async function urlOf(attack: Attack): Promise<string> {
  const server = await startHostileServer(attack)
  servers.push(server)
  return server.url
}

function urlsOf(attacks: readonly Attack[]): Promise<string[]> {
  return Promise.all(attacks.map(urlOf))
}

/** The output of one process for each of several attacks, in order. */
class Outcomes {
  readonly #child: MeasuredProcess
  readonly #texts: readonly string[]

  private constructor(child: MeasuredProcess, texts: readonly string[]) {
    this.#child = child
    this.#texts = texts
  }

  /**
   * Runs a program to its end.
   * @param divider the output after each attack
   */
  static async of(script: string, words: readonly string[], divider: RegExp): Promise<Outcomes> {
    // With so few starts, bundling would take longer than it saves.
    const child = spawnWithPeakMemory(script, words, { NODE_COMPILE_CACHE: String(process.env['NODE_COMPILE_CACHE']) })
    expect(await child.ended, child.errors()).toMatchObject({ code: 0 })
    return new Outcomes(child, child.output().split(divider))
  }

  /** Runs command lines, one after the other. */
  static ofCommands(lines: readonly (readonly string[])[]): Promise<Outcomes> {
    return Outcomes.of('tests/limits/once/support/run_commands.ts', [JSON.stringify(lines)], /^ended with \d+\n/m)
  }

  at(index: number): string {
    return this.#texts[index] ?? ''
  }

  get peakMegabytes(): number {
    return this.#child.peakMegabytes()
  }
}

const indexed = (cases: readonly Case[]): [what: string, index: number, one: Case][] =>
  cases.map((one, index) => [one.what, index, one])

describe('the client, calling a hostile server,', () => {
  let outcomes: Outcomes
  beforeAll(async () => {
    const urls = await urlsOf(ALL.map(({ attack }) => attack))
    outcomes = await Outcomes.of('tests/limits/once/support/client_of_hostile_server.ts', urls, /(?<=\n)/)
  })

  it.each(indexed(ALL))('ends with a clear error for %s', (_what, index, { error, attack }) => {
    expect(outcomes.at(index)).toBe(`${attack === longWait ? '' : 'listUsers: '}${error}\n`)
  })

  it('needs little memory for all attacks', () => {
    expect(outcomes.peakMegabytes).toBeLessThan(RESIDENT_MB_MAX)
  })
})

/** A page with a block that contains itself. */
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

describe('clone, calling a hostile server,', () => {
  // The first requests of a clone succeed.
  const begun =
    (attack: Attack): Attack =>
    (response, request) =>
      (request.url?.includes('/me') ? sends(me) : attack)(response, request)
  // A clone reads ten million pages of a list before it gives up, which takes hours.
  const OTHERS = [...RINGS, WAIT]
  const folder = scratchFolder('clone-')
  const clone = async (attack: Attack): Promise<string[]> => {
    const id = randomUUID()
    const into = ['--progress', `${folder}/progress-${id}`, '--database', `sqlite:${folder}/db-${id}`]
    return ['clone', await urlOf(attack), '--token', 'secret_of_nobody', ...into]
  }
  // Attacks that a limit on bodies stops always run; attacks that a limit on values stops only run in long runs.
  const floods = someRows(FLOODS, 2)
  let drowned: Outcomes[]
  let rest: Outcomes
  beforeAll(async () => {
    // Memory that one clone has not freed would count for the next.
    const alone = floods.map(async ({ attack }) => Outcomes.ofCommands([await clone(begun(attack))]))
    drowned = await Promise.all(alone)
    const others = [...OTHERS.map(({ attack }) => begun(attack)), ownChild]
    rest = await Outcomes.ofCommands(await Promise.all(others.map(clone)))
  })

  it.each(indexed(floods))('ends with a clear error and little memory for %s', (_what, index, { error }) => {
    expect(drowned[index]?.at(0)).toContain(error)
    expect(drowned[index]?.peakMegabytes).toBeLessThan(RESIDENT_MB_MAX)
  })

  it.each(indexed(OTHERS))('ends with a clear error for %s', (_what, index, { error, attack }) => {
    expect(rest.at(index)).toContain(attack === longWait ? 'Wait.\nThe clone is not complete.' : error)
  })

  it('needs little memory for cyclic lists, a long wait and a block inside itself', () => {
    expect(rest.peakMegabytes).toBeLessThan(RESIDENT_MB_MAX)
  })

  it('copies a block that is inside itself once, and reports it', () => {
    const report = rest.at(OTHERS.length)
    expect(report).toContain('According to the server, it is inside itself')
    expect(report).toContain('Copied 1 pages')
  })
})

describe('proxy, forwarding to a hostile server,', () => {
  /** More than the memory limit of the proxy, so that storing the body fails. */
  const POURED = 320 * 2 ** 20

  it('forwards everything, and needs little memory', async () => {
    const server = await startHostileServer()
    servers.push(server)
    const proxy = spawnWithPeakMemory('cli/main.js', ['proxy', '--target', server.url, '--port', '0'])
    const shown = /http:\/\/127\.0\.0\.1:\d+/
    const url = await until(() => shown.exec(proxy.errors() + proxy.output())?.[0], proxy)
    for (const { what, attack } of someRows(FLOODS)) {
      server.attack(attack)
      let bytes = 0
      const { body } = await fetch(`${url}/v1/users`, { headers: { Authorization: 'Bearer secret_of_nobody' } })
      for await (const chunk of body ?? []) if ((bytes += chunk.length) > POURED) break
      expect(bytes, what).toBeGreaterThan(0)
    }
    proxy.kill()
    await proxy.ended
    expect(proxy.peakMegabytes()).toBeLessThan(RESIDENT_MB_MAX)
  })
})

describe('conform, calling a hostile server,', () => {
  const attacks = isLongRun ? ALL : [...FLOODS.slice(0, 1), ...RINGS.slice(0, 1), WAIT]
  const LIMITS = 'body: expected at most 4194304 bytes, 200000 values and 200 nested levels, found more'
  let outcomes: Outcomes
  beforeAll(async () => {
    const urls = await urlsOf(attacks.map(({ attack }) => attack))
    outcomes = await Outcomes.ofCommands(
      urls.map((url) => ['conform', url, '--token', 'secret_of_nobody', '--only', 'listUsers']),
    )
  })

  it.each(indexed(attacks))('ends with a report for %s', (_what, index, one) => {
    const report = outcomes.at(index)
    expect(report).toContain('listUsers')
    if (FLOODS.includes(one)) expect(report).toContain(LIMITS)
    if (one === WAIT) expect(report).toContain('expected at most 120 seconds, found 99999999')
    if (one === RINGS[0]) expect(report).toContain('a page returns its own cursor as the next one')
  })

  it('needs little memory for all attacks', () => {
    expect(outcomes.peakMegabytes).toBeLessThan(RESIDENT_MB_MAX)
  })
})
