import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import { releaseDates } from '../../server/versions/index.ts'
import type { CallParts } from '../harness/caller.ts'
import { text } from '../harness/content.ts'
import { serverOfFile } from '../harness/server.ts'
import { subjectsOf, type Kind } from './support/border_kinds.ts'
import { told } from './support/border_told.ts'
import { makeWorld, readHidden, type Who, type World } from './support/border_world.ts'

/**
 * What a caller cannot see does not exist for older versions either, whose requests name databases where newer ones name data sources,
 * and whose answers are made of more than was asked for.
 */

const server = await serverOfFile()
const world = await makeWorld(server)

interface OldRow {
  readonly operation: OperationId
  readonly what: string
  readonly kind: Kind
  ask(named: string, world: World): CallParts
  /** The version that took the form away. */
  readonly before?: string
  /** Where what is named is visible, it is refused for another reason, or changes what other rows need. */
  readonly isSilent?: true
  /** Another one that is visible. */
  visible?(world: World): string
}

const onDatabase = ({ shown }: World, body: object): CallParts => ({ path: { database_id: shown.database }, body })
const titled = { Name: { title: {} } }

const rows: readonly OldRow[] = [
  { operation: 'retrieveDatabase', what: 'a database', kind: 'database', ask: (id) => ({ path: { database_id: id } }) },
  {
    operation: 'updateDatabase',
    what: 'a title',
    kind: 'database',
    ask: (id) => ({ path: { database_id: id }, body: { title: [text('x')] } }),
  },
  {
    operation: 'updateDatabase',
    what: 'a schema',
    before: '2025-09-03',
    kind: 'database',
    ask: (id) => ({ path: { database_id: id }, body: { properties: { Weight: { number: {} } } } }),
    isSilent: true,
  },
  {
    operation: 'updateDatabase',
    what: 'the trash',
    kind: 'database',
    ask: (id) => ({ path: { database_id: id }, body: { archived: false } }),
  },
  {
    operation: 'updateDatabase',
    what: 'a column to delete',
    before: '2025-09-03',
    kind: 'column by name',
    ask: (name, it) => onDatabase(it, { properties: { [name]: null } }),
    isSilent: true,
  },
  {
    operation: 'updateDatabase',
    what: 'a column to rename',
    before: '2025-09-03',
    kind: 'column by id',
    ask: (id, it) => onDatabase(it, { properties: { [id]: { name: 'Other' } } }),
    isSilent: true,
  },
  {
    operation: 'updateDatabase',
    what: 'the target of a relation',
    before: '2025-09-03',
    kind: 'database',
    ask: (database_id, it) => onDatabase(it, { properties: { To: { relation: { database_id } } } }),
    isSilent: true,
  },
  {
    operation: 'createDatabase',
    what: 'a parent',
    kind: 'page',
    ask: (page_id) => ({ body: { parent: { page_id }, title: [text('x')], properties: titled } }),
    visible: ({ shown }) => shown.page,
  },
  {
    operation: 'createDatabase',
    what: 'the target of a relation',
    before: '2025-09-03',
    kind: 'database',
    ask: (database_id, { shown }) => ({
      body: { parent: { page_id: shown.page }, title: [text('x')], properties: { ...titled, To: { relation: { database_id } } } },
    }),
    isSilent: true,
  },
  {
    operation: 'queryDatabase',
    what: 'a database',
    kind: 'database',
    ask: (id) => ({ path: { database_id: id }, body: { page_size: 1 } }),
  },
  ...(['column by name', 'column by id'] as const).flatMap((kind): OldRow[] => [
    {
      operation: 'queryDatabase',
      what: 'a filter',
      kind,
      ask: (property, it) => onDatabase(it, { filter: { property, relation: { is_empty: true } } }),
    },
    {
      operation: 'queryDatabase',
      what: 'a sort',
      kind,
      ask: (property, it) => onDatabase(it, { sorts: [{ property, direction: 'ascending' }] }),
      isSilent: true,
    },
    {
      operation: 'createPage',
      what: 'a value',
      kind,
      ask: (key, { shown }) => ({
        body: { parent: { database_id: shown.database }, properties: { [key]: { relation: [] } } },
      }),
    },
    {
      operation: 'updatePage',
      what: 'a value',
      kind,
      ask: (key, { shown }) => ({ path: { page_id: shown.row }, body: { properties: { [key]: { relation: [] } } } }),
    },
  ]),
  {
    operation: 'createPage',
    what: 'a database as parent',
    kind: 'database',
    ask: (database_id) => ({ body: { parent: { database_id }, properties: {} } }),
  },
  {
    operation: 'createPage',
    what: 'a page as parent',
    kind: 'page',
    ask: (page_id) => ({ body: { parent: { page_id }, properties: {} } }),
  },
  {
    operation: 'updatePage',
    what: 'the trash',
    kind: 'page',
    ask: (page_id) => ({ path: { page_id }, body: { archived: false } }),
  },
  { operation: 'retrievePage', what: 'a page', kind: 'page', ask: (page_id) => ({ path: { page_id } }) },
  {
    operation: 'retrievePageProperty',
    what: 'a column',
    kind: 'column by id',
    ask: (property_id, { shown }) => ({ path: { page_id: shown.row, property_id } }),
  },
  {
    operation: 'movePage',
    what: 'a database',
    before: '2025-09-03',
    kind: 'database',
    ask: (database_id, { shown }) => ({ path: { page_id: shown.row }, body: { parent: { database_id } } }),
  },
  {
    operation: 'updateBlock',
    what: 'the trash',
    kind: 'block',
    ask: (block_id) => ({ path: { block_id }, body: { archived: false } }),
  },
  {
    operation: 'appendBlockChildren',
    what: 'a block',
    kind: 'block',
    ask: (block_id) => ({ path: { block_id }, body: { children: [{ divider: {} }] } }),
  },
  {
    operation: 'appendBlockChildren',
    what: 'a sibling before it',
    kind: 'block',
    ask: (after, { shown }) => ({ path: { block_id: shown.page }, body: { after, children: [{ divider: {} }] } }),
  },
  { operation: 'listBlockChildren', what: 'a block', kind: 'block', ask: (block_id) => ({ path: { block_id } }) },
]

async function ask(row: OldRow, version: string, who: Who, subject: string): Promise<string> {
  const headers = { 'Service-Version': version }
  return told(await world.own[who].caller.call(row.operation, { ...row.ask(subject, world), headers }), subject)
}

const nameOf = ({ operation, what, kind }: OldRow): string => `${operation}, ${what} (${kind})`
const oldest = releaseDates[0] ?? ''

describe.each([oldest, '2022-06-28', '2025-09-03'])('in %s', (version) => {
  const asked = rows.filter(({ before }) => before === undefined || version < before)

  it('finds what is visible', async () => {
    for (const row of asked.filter(({ isSilent }) => !isSilent)) {
      const seen = row.visible?.(world) ?? subjectsOf(row.kind, world, 'a connection').visible
      expect(await ask(row, version, 'a connection', seen), nameOf(row)).toMatch(/^20/)
    }
  })

  it.each(['a connection', 'a member'] as const)(
    'responds to objects hidden from %s as to missing ones, and changes none',
    async (who) => {
      const before = await readHidden(world)
      server.clock.advance(1_000)
      for (const row of asked) {
        const { hidden, missing } = subjectsOf(row.kind, world, who)
        const ghost = await ask(row, version, who, missing)
        for (const [index, one] of hidden.entries())
          expect(await ask(row, version, who, one), `${nameOf(row)}, hidden ${index}`).toBe(ghost)
      }
      expect(await readHidden(world)).toBe(before)
    },
  )
})
