import { describe, expect, it } from 'vitest'
import type { RowShape } from '../../server/store/row_shape.ts'
import { serverOfFile } from '../harness/server.ts'
import { wrongRows } from '../harness/row_shapes.ts'

/** Every test checks the rows of all statements, see tests/harness/row_shapes.ts; this one shows the detected mismatches. */
const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })

describe('a row that violates its type is reported', () => {
  it.each<[string, RowShape, string, RegExp]>([
    ['a column that is not selected', { id: 'text', title: 'text' }, 'select id from workspaces', /^columns id for id, title/],
    ['a selected column that the type lacks', { id: 'text' }, 'select id, name from workspaces', /^columns id, name for id/],
    [
      'a column of another type, even without rows',
      { number: 'text' },
      'select number from titles where number < 0',
      /^number is integer/,
    ],
    ['a computed value of another type', { count: 'text' }, 'select count(*) as count from users', /^count is/],
    [
      'null in a column that is not nullable',
      { name: 'text' },
      "select case when 1 = 2 then 'a' end as name",
      /^name is null, not text/,
    ],
    ['a value outside an enumeration', { kind: ['bot'] }, 'select kind from users', /^kind is person, not bot/],
  ])('%s', async (_what, shape, sql, noticed) => {
    await server.service.database.read((db) => db.all(shape, sql))
    expect(wrongRows()[0]).toMatch(noticed)
  })

  it('and a valid row is not reported', async () => {
    await server.service.database.read((db) =>
      db.all({ id: 'text', kind: ['person', 'bot'], email: 'text?' }, 'select id, kind, email from users'),
    )
    expect(wrongRows()).toEqual([])
  })
})
