import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { SqliteStatement } from '../../server/store/dialects/sqlite_statement.ts'

it.each([
  ['a limit', 'select name from boats order by name limit ?', [[1], [2]], [1, 2]],
  ['a pattern', 'select name from boats where name like ?', [['%r%'], ['%x%']], [2, 0]],
])('a statement with %s is planned once, whatever its parameters', (_what, sql, parameters, found) => {
  const handle = new DatabaseSync(':memory:')
  handle.exec(`create table boats (name text primary key); insert into boats values ('Heron'), ('Tern')`)
  // The engine calls the authorizer only while it plans a statement.
  let calls = 0
  handle.setAuthorizer(() => {
    calls += 1
    return 0
  })
  const statement = new SqliteStatement(handle, sql)
  const callsAtFirst = calls
  expect(callsAtFirst).toBeGreaterThan(0)
  expect(parameters.map((values) => statement.all(values).length)).toEqual(found)
  expect(parameters.map((values) => statement.all(values).length)).toEqual(found)
  expect(calls).toBe(callsAtFirst)
  handle.close()
})
