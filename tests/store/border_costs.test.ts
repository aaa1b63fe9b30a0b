import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../server/kernel/errors.ts'
import { memberOf, type Actor } from '../../server/domain/shared/actor.ts'
import { retrieveBlock } from '../../server/domain/content/blocks/blocks.ts'
import { retrieveComment } from '../../server/domain/content/comments/comments.ts'
import { retrieveDatabase } from '../../server/domain/data/databases/present.ts'
import { retrieveDataSource } from '../../server/domain/data/data_sources/present.ts'
import { retrievePage } from '../../server/domain/data/pages/pages.ts'
import type { Scope } from '../../server/domain/shared/scope.ts'
import { retrieveUser } from '../../server/domain/people/users/users.ts'
import { retrieveView } from '../../server/domain/data/views/present.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { Connection } from '../../server/store/database.ts'
import type { RowOf, RowShape } from '../../server/store/row_shape.ts'
import type { Sql } from '../../server/store/sql.ts'
import { observed } from '../harness/observed.ts'
import { serverOfFile } from '../harness/server.ts'
import { makeWorld } from '../access/support/border_world.ts'

/** A hidden record costs the same as a missing one: neither the response nor the work reveals it. */

const server = await serverOfFile()
const world = await makeWorld(server)

const reads: Readonly<
  Record<
    string,
    readonly [of: 'page' | 'inner' | 'block' | 'database' | 'source' | 'view' | 'comment', (scope: Scope, id: string) => unknown]
  >
> = {
  'a page': ['inner', (scope, id) => retrievePage(scope, id, undefined)],
  'a block': ['block', retrieveBlock],
  'a database': ['database', retrieveDatabase],
  'a data source': ['source', retrieveDataSource],
  'a view': ['view', retrieveView],
  'a comment': ['comment', retrieveComment],
}

const { id: workspaceId } = exampleWorkspace.workspace
const member = memberOf(workspaceId, exampleWorkspace.people[2].id, 'member')
const actors: Readonly<Record<string, Actor>> = {
  // A bot without shared pages sees as little of the hidden page as one with other pages.
  'a connection': {
    ...member,
    userId: randomUUID(),
    connectionId: randomUUID(),
    connectionName: 'Crate Counter',
    tokenKind: 'installation',
    memberLevel: undefined,
  },
  'a member': member,
}

/** Every statement of a read, with the number of returned rows. */
async function statementsOf(actor: Actor, read: (scope: Scope, id: string) => unknown, id: string): Promise<string[]> {
  const sent: string[] = []
  await server.service.database.read(async (db) => {
    const counting: Connection = observed(db, {
      async all<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S>[]> {
        const rows = await db.all(shape, statement)
        sent.push(`${rows.length} of ${statement.sql}`)
        return rows
      },
      async get<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S> | undefined> {
        const row = await db.get(shape, statement)
        sent.push(`${row === undefined ? 0 : 1} of ${statement.sql}`)
        return row
      },
    })
    // A read needs no other part of its scope before it has found the record.
    const scope = { db: counting, actor, now: server.clock.now(), baseUrl: server.url } as unknown as Scope
    await expect(async () => read(scope, id)).rejects.toBeInstanceOf(ServiceError)
  })
  return sent
}

describe.each(Object.entries(actors))('%s', (_name, actor) => {
  it.each(Object.entries(reads))(
    'reads hidden %s by the same statement as missing ones, and reads as few rows',
    async (_kind, [of, read]) => {
      const missing = await statementsOf(actor, read, randomUUID())
      expect(missing).toHaveLength(1)
      expect(missing[0]).toMatch(/^0 of /)
      for (const id of [world.hidden[of], world.foreign[of]]) expect(await statementsOf(actor, read, id)).toEqual(missing)
    },
  )
})

it('a connection looks up a guest of other pages with the statement for a missing person', async () => {
  const actor = actors['a connection'] ?? member
  const missing = await statementsOf(actor, retrieveUser, randomUUID())
  expect(missing).toHaveLength(1)
  for (const id of [world.guest, world.foreigner.person]) expect(await statementsOf(actor, retrieveUser, id)).toEqual(missing)
})
