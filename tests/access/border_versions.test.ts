import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import { releaseDates } from '../../server/versions/index.ts'
import type { CallParts } from '../harness/caller.ts'
import { text } from '../harness/content.ts'
import { serverOfFile } from '../harness/server.ts'
import { subjectsOf, type Kind } from './support/border_kinds.ts'
import { disclosed } from './support/border_disclosed.ts'
import { makeWorld, readHidden, type CallerName, type World } from './support/border_world.ts'
import { someRows } from '../harness/long_runs.ts'

/**
 * Hidden objects do not exist for older versions either, whose requests name databases instead of data sources, and whose responses contain
 * more than the requested object.
 */

const server = await serverOfFile()
const world = await makeWorld(server)

interface OldRow {
  readonly operation: OperationId
  readonly what: string
  readonly kind: Kind
  request(named: string, world: World): CallParts
  /** The version that removed the form. */
  readonly before?: string
  /** Set if a visible object is refused for another reason, or if the request would change what other rows need. */
  readonly isSilent?: true
  /** Another visible object. */
  visible?(world: World): string
}

const onDatabase = ({ shown }: World, body: object): CallParts => ({ path: { database_id: shown.database }, body })
const titled = { Name: { title: {} } }

const rows: readonly OldRow[] = [
  { operation: 'retrieveDatabase', what: 'a database', kind: 'database', request: (id) => ({ path: { database_id: id } }) },
  {
    operation: 'updateDatabase',
    what: 'a title',
    kind: 'database',
    request: (id) => ({ path: { database_id: id }, body: { title: [text('x')] } }),
  },
  {
    operation: 'updateDatabase',
    what: 'a schema',
    before: '2025-09-03',
    kind: 'database',
    request: (id) => ({ path: { database_id: id }, body: { properties: { Weight: { number: {} } } } }),
    isSilent: true,
  },
  {
    operation: 'updateDatabase',
    what: 'the trash',
    kind: 'database',
    request: (id) => ({ path: { database_id: id }, body: { archived: false } }),
  },
  {
    operation: 'updateDatabase',
    what: 'a column to delete',
    before: '2025-09-03',
    kind: 'column by name',
    request: (name, it) => onDatabase(it, { properties: { [name]: null } }),
    isSilent: true,
  },
  {
    operation: 'updateDatabase',
    what: 'a column to rename',
    before: '2025-09-03',
    kind: 'column by id',
    request: (id, it) => onDatabase(it, { properties: { [id]: { name: 'Other' } } }),
    isSilent: true,
  },
  {
    operation: 'updateDatabase',
    what: 'the target of a relation',
    before: '2025-09-03',
    kind: 'database',
    request: (database_id, it) => onDatabase(it, { properties: { To: { relation: { database_id } } } }),
    isSilent: true,
  },
  {
    operation: 'createDatabase',
    what: 'a parent',
    kind: 'page',
    request: (page_id) => ({ body: { parent: { page_id }, title: [text('x')], properties: titled } }),
    visible: ({ shown }) => shown.page,
  },
  {
    operation: 'createDatabase',
    what: 'the target of a relation',
    before: '2025-09-03',
    kind: 'database',
    request: (database_id, { shown }) => ({
      body: { parent: { page_id: shown.page }, title: [text('x')], properties: { ...titled, To: { relation: { database_id } } } },
    }),
    isSilent: true,
  },
  {
    operation: 'queryDatabase',
    what: 'a database',
    kind: 'database',
    request: (id) => ({ path: { database_id: id }, body: { page_size: 1 } }),
  },
  ...(['column by name', 'column by id'] as const).flatMap((kind): OldRow[] => [
    {
      operation: 'queryDatabase',
      what: 'a filter',
      kind,
      request: (property, it) => onDatabase(it, { filter: { property, relation: { is_empty: true } } }),
    },
    {
      operation: 'queryDatabase',
      what: 'a sort',
      kind,
      request: (property, it) => onDatabase(it, { sorts: [{ property, direction: 'ascending' }] }),
      isSilent: true,
    },
    {
      operation: 'createPage',
      what: 'a value',
      kind,
      request: (key, { shown }) => ({
        body: { parent: { database_id: shown.database }, properties: { [key]: { relation: [] } } },
      }),
    },
    {
      operation: 'updatePage',
      what: 'a value',
      kind,
      request: (key, { shown }) => ({ path: { page_id: shown.row }, body: { properties: { [key]: { relation: [] } } } }),
    },
  ]),
  {
    operation: 'createPage',
    what: 'a database as parent',
    kind: 'database',
    request: (database_id) => ({ body: { parent: { database_id }, properties: {} } }),
  },
  {
    operation: 'createPage',
    what: 'a page as parent',
    kind: 'page',
    request: (page_id) => ({ body: { parent: { page_id }, properties: {} } }),
  },
  {
    operation: 'updatePage',
    what: 'the trash',
    kind: 'page',
    request: (page_id) => ({ path: { page_id }, body: { archived: false } }),
  },
  { operation: 'retrievePage', what: 'a page', kind: 'page', request: (page_id) => ({ path: { page_id } }) },
  {
    operation: 'retrievePageProperty',
    what: 'a column',
    kind: 'column by id',
    request: (property_id, { shown }) => ({ path: { page_id: shown.row, property_id } }),
  },
  {
    operation: 'movePage',
    what: 'a database',
    before: '2025-09-03',
    kind: 'database',
    request: (database_id, { shown }) => ({ path: { page_id: shown.row }, body: { parent: { database_id } } }),
  },
  {
    operation: 'updateBlock',
    what: 'the trash',
    kind: 'block',
    request: (block_id) => ({ path: { block_id }, body: { archived: false } }),
  },
  {
    operation: 'appendBlockChildren',
    what: 'a block',
    kind: 'block',
    request: (block_id) => ({ path: { block_id }, body: { children: [{ divider: {} }] } }),
  },
  {
    operation: 'appendBlockChildren',
    what: 'a sibling before it',
    kind: 'block',
    request: (after, { shown }) => ({ path: { block_id: shown.page }, body: { after, children: [{ divider: {} }] } }),
  },
  { operation: 'listBlockChildren', what: 'a block', kind: 'block', request: (block_id) => ({ path: { block_id } }) },
]

async function outcomeOf(row: OldRow, version: string, caller: CallerName, subject: string): Promise<string> {
  const headers = { 'Service-Version': version }
  return disclosed(await world.own[caller].caller.call(row.operation, { ...row.request(subject, world), headers }), subject)
}

const nameOf = ({ operation, what, kind }: OldRow): string => `${operation}, ${what} (${kind})`
const oldest = releaseDates[0] ?? ''

describe.each(someRows([oldest, '2022-06-28', '2025-09-03']))('in version %s', (version) => {
  const rowsOfVersion = rows.filter(({ before }) => before === undefined || version < before)

  it('returns visible objects', async () => {
    for (const row of rowsOfVersion.filter(({ isSilent }) => !isSilent)) {
      const seen = row.visible?.(world) ?? subjectsOf(row.kind, world, 'a connection').visible
      expect(await outcomeOf(row, version, 'a connection', seen), nameOf(row)).toMatch(/^20/)
    }
  })

  it.each(['a connection', 'a member'] as const)(
    'returns the same responses for objects hidden from %s as for missing ones, and changes none of them',
    async (caller) => {
      const before = await readHidden(world)
      server.clock.advance(1_000)
      for (const row of rowsOfVersion) {
        const { hidden, missing } = subjectsOf(row.kind, world, caller)
        const ghost = await outcomeOf(row, version, caller, missing)
        for (const [index, one] of hidden.entries())
          expect(await outcomeOf(row, version, caller, one), `${nameOf(row)}, hidden ${index}`).toBe(ghost)
      }
      expect(await readHidden(world)).toBe(before)
    },
  )
})
