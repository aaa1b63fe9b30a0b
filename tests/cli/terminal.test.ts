import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { resultsOf } from '../harness/json.ts'
import { CommandLine } from './support.ts'
import { onTerminal } from './on_terminal.ts'
import { inLongRuns } from '../harness/long_runs.ts'

vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'seven red buoys'

let database: TestDatabase
beforeEach(async () => {
  database = await makeDatabase('none')
  const cli = new CommandLine(database.url)
  await cli.json('migrate')
  await cli.json('workspace', 'create', 'Boat shed')
})
afterEach(() => database.drop())

describe('a command on a terminal', () => {
  it('asks for a password twice and never shows it', async () => {
    const { screen, code } = await onTerminal(
      database.url,
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

  it('ends with code 130 at Ctrl-C and changes nothing', async () => {
    const { screen, code } = await onTerminal(
      database.url,
      ['user', 'create', 'nora@boats.example', '--name', 'Nora', '--password'],
      [{ seen: 'New password', typed: '\u0003' }],
    )
    expect(code).toBe(130)
    expect(screen).toContain('Nothing was changed.')
    expect(resultsOf(await new CommandLine(database.url).json('user', 'list'))).toEqual([])
  })

  it('asks before deleting', async () => {
    const id = String((await new CommandLine(database.url).json('connection', 'create', 'Crane'))['id'])
    const refused = await onTerminal(
      database.url,
      ['connection', 'delete', id],
      [{ seen: 'Delete the connection "Crane"', typed: 'n' }],
    )
    expect(refused.code).toBe(130)
    const agreed = await onTerminal(
      database.url,
      ['connection', 'delete', id],
      [{ seen: 'Delete the connection "Crane"', typed: 'y' }],
    )
    expect(agreed.code).toBe(0)
    expect(agreed.screen).toContain('Deleted the connection')
  })

  inLongRuns(it)('shows the progress of a backup', async () => {
    const { screen, code } = await onTerminal(database.url, ['backup', `${database.url.replace(/^sqlite:/, '')}.copy`], [])
    expect(code).toBe(0)
    expect(screen).toContain('Copied and checked')
  })
})
