import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { resultsOf } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { CommandLine } from './support.ts'

vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'seven red buoys'
const COLORS = /\u001b\[[0-9;?]*[A-Za-z]/g

let database: TestDatabase
beforeEach(async () => {
  database = await makeDatabase('none')
  const cli = new CommandLine(database.url)
  await cli.json('migrate')
  await cli.json('workspace', 'create', 'Boat shed')
})
afterEach(() => database.drop())

interface Step {
  /** What has to be on the screen before somebody types. */
  readonly seen: string
  readonly typed: string
}

/** Runs a command on a terminal of its own, and types. @returns all that was on the screen, and the exit code */
async function onTerminal(words: readonly string[], steps: readonly Step[]): Promise<{ screen: string; code: number | null }> {
  const quoted = [process.execPath, fileURLToPath(new URL('../../server/cli.js', import.meta.url)), ...words]
    .map((word) => `'${word}'`)
    .join(' ')
  const child = spawn('script', ['-qec', `stty cols 120 rows 40; ${quoted}`, '/dev/null'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm', DATABASE_URL: database.url },
  })
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString().replace(COLORS, '')))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let from = 0
  for (const { seen, typed } of steps) {
    await until(() => (screen.indexOf(seen, from) === -1 ? undefined : true))
    from = screen.length
    child.stdin.write(typed)
  }
  return { code: await ended, screen }
}

describe('on a terminal', () => {
  it('a password is asked for twice and never shown', async () => {
    const { screen, code } = await onTerminal(
      ['user', 'create', 'nora@boats.example', '--name', 'Nora', '--password'],
      [
        { seen: 'New password', typed: 'short\r' },
        { seen: 'at least', typed: '\u0015' },
        { seen: 'New password', typed: `${SECRET}\r` },
        { seen: 'Once more', typed: `${SECRET}\r` },
      ],
    )
    expect(code).toBe(0)
    expect(screen).toContain('Added Nora <nora@boats.example>')
    expect(screen).not.toMatch(/seven|buoys|short/)
  })

  it('Ctrl-C ends with code 130 and changes nothing', async () => {
    const { screen, code } = await onTerminal(
      ['user', 'create', 'nora@boats.example', '--name', 'Nora', '--password'],
      [{ seen: 'New password', typed: '\u0003' }],
    )
    expect(code).toBe(130)
    expect(screen).toContain('Nothing was changed.')
    expect(resultsOf(await new CommandLine(database.url).json('user', 'list'))).toEqual([])
  })

  it('deleting asks first', async () => {
    const id = String((await new CommandLine(database.url).json('connection', 'create', 'Crane'))['id'])
    const refused = await onTerminal(['connection', 'delete', id], [{ seen: 'Delete the connection "Crane"', typed: 'n' }])
    expect(refused.code).toBe(130)
    const agreed = await onTerminal(['connection', 'delete', id], [{ seen: 'Delete the connection "Crane"', typed: 'y' }])
    expect(agreed.code).toBe(0)
    expect(agreed.screen).toContain('Deleted the connection')
  })

  it('long work shows how far it is', async () => {
    const { screen, code } = await onTerminal(['backup', `${database.url.replace(/^sqlite:/, '')}.copy`], [])
    expect(code).toBe(0)
    expect(screen).toContain('Copied and checked')
  })
})
