import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { NewRows } from '../../server/store/database.ts'
import { serverOfFile } from '../harness/server.ts'

const {
  workspace: { id: workspaceId },
} = exampleWorkspace

const server = await serverOfFile()

type Emoji = readonly [name: string, url: string, createdTime: number]

function emojis(values: readonly Emoji[]): NewRows {
  const rows = values.map((value) => [workspaceId, randomUUID(), ...value])
  return { table: 'custom_emojis', columns: ['workspace_id', 'id', 'name', 'url', 'created_time'], rows }
}

async function insertAndRead(values: readonly Emoji[]): Promise<Emoji[]> {
  const added = emojis(values)
  await server.service.database.write((db) => db.insert(added))
  const rows = await server.service.database.read((db) =>
    db.all(
      { id: 'text', name: 'text', url: 'text', created_time: 'integer' },
      'select id, name, url, created_time from custom_emojis where workspace_id = ?',
      workspaceId,
    ),
  )
  return added.rows
    .map((row) => rows.find(({ id }) => id === row[1]))
    .map((row): Emoji => [row?.name ?? 'missing', row?.url ?? '', row?.created_time ?? 0])
}

describe('Connection.insert', () => {
  it.each([
    ['quotes, backslashes and question marks', `it's "a" \\ b? $1`],
    ['line breaks and controls', 'a\nb\tc\u0001'],
    ['text beyond the basic plane', '⛵ 🏴‍☠️ Ines Ævar 日本'],
    ['text that looks like JSON', '{"a":[null,"\\u0041"]}'],
    ['the empty text', ''],
  ])('stores %s unchanged', async (_what, text) => {
    const value: Emoji = [`${text} ${randomUUID()}`, text, 1_795_172_728_410]
    expect(await insertAndRead([value])).toEqual([value])
  })

  it('adds a thousand rows', async () => {
    const values = Array.from({ length: 1000 }, (_value, index): Emoji => [randomUUID(), `https://x.example/${index}`, index])
    expect(await insertAndRead(values)).toEqual(values)
  })

  it('adds nothing for an empty list', async () => {
    expect(await insertAndRead([])).toEqual([])
  })

  it('stores null, and defaults of omitted columns', async () => {
    const id = randomUUID()
    await server.service.database.write((db) =>
      db.insert({
        table: 'users',
        columns: ['workspace_id', 'id', 'kind', 'name', 'created_time'],
        rows: [[workspaceId, id, 'person', null, 5]],
      }),
    )
    const row = await server.service.database.read((db) =>
      db.get({}, 'select kind, name, email from users where workspace_id = ? and id = ?', workspaceId, id),
    )
    expect(row).toEqual({ kind: 'person', name: null, email: null })
  })

  it('adds no row if one row is refused', async () => {
    const name = randomUUID()
    await expect(
      insertAndRead([
        [name, 'a', 1],
        [name, 'b', 2],
      ]),
    ).rejects.toThrow()
    await expect(
      insertAndRead([
        [`${name}!`, 'a', 1],
        [`${name}\0`, 'b', 2],
      ]),
    ).rejects.toMatchObject({ code: 'validation_error' })
    const rows = await server.service.database.read((db) =>
      db.all({}, 'select id from custom_emojis where workspace_id = ? and name in (?, ?)', workspaceId, name, `${name}!`),
    )
    expect(rows).toEqual([])
  })
})
