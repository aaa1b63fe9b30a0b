import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { resultsOf, textAt } from '../harness/json.ts'
import { onTerminal } from './on_terminal.ts'
import { InProcessCommandLine } from './support.ts'

let database: TestDatabase
let cli: InProcessCommandLine
let id: string
beforeEach(async () => {
  database = await makeDatabase('none')
  cli = new InProcessCommandLine(database.url)
  await cli.json('migrate')
  id = textAt(await cli.json('workspace', 'create', 'Boat shed'), 'id')
})
afterEach(() => database.drop())

const names = async (): Promise<unknown[]> => resultsOf(await cli.json('workspace', 'list')).map(({ name }) => name)

describe('workspace rename', () => {
  it('changes the name of the workspace', async () => {
    expect(await cli.json('workspace', 'rename', id, ' Sail loft ')).toEqual({ id, name: 'Sail loft' })
    expect(await names()).toEqual(['Sail loft'])
    expect((await cli.run(['workspace', 'rename', id, 'SAIL loft'])).code).toBe(0)
  })

  it('refuses a name that is empty, too long, or taken', async () => {
    await cli.json('workspace', 'create', 'Sail loft')
    expect(await cli.refusal(['workspace', 'rename', id, 'sail loft'], 1)).toMatch(/A workspace named "Sail loft" already exists/)
    for (const name of [' ', 'x'.repeat(201)])
      expect(await cli.refusal(['workspace', 'rename', id, name], 1)).toMatch(/1 to 200 characters/)
    expect(await names()).toEqual(['Boat shed', 'Sail loft'])
  })
})

describe('workspace delete', () => {
  it('requires the name of the workspace to be typed, and deletes nothing if it differs', async () => {
    const refused = await onTerminal(
      database.url,
      ['workspace', 'delete', id],
      [
        { seen: 'Type its name:', typed: 'Boat\r' },
        { seen: 'Its name is "Boat shed".', typed: '\u0003' },
      ],
    )
    expect(refused.code).toBe(130)
    expect(await names()).toEqual(['Boat shed'])
    const agreed = await onTerminal(database.url, ['workspace', 'delete', id], [{ seen: 'Type its name:', typed: 'Boat shed\r' }])
    expect(agreed.code, agreed.screen).toBe(0)
    expect(await names()).toEqual([])
  })

  it('requires --yes without a terminal, and an existing workspace', async () => {
    expect(await cli.refusal(['workspace', 'delete', id], 2)).toMatch(/Add --yes/)
    await cli.json('workspace', 'delete', id, '--yes')
    expect(await cli.refusal(['workspace', 'delete', id, '--yes'], 1)).toMatch(/No workspace has the id/)
  })
})
