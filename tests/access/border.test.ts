import { beforeAll, describe, expect, it } from 'vitest'
import { versionOf, servedWith, type KnownOperation } from '../harness/every_operation.ts'
import type { TestResponse } from '../harness/responses.ts'
import type { Caller } from '../harness/caller.ts'
import { children, makePage, paragraph } from '../harness/content.ts'
import { columnsOf, makeRow, readRow, valuesOf } from '../harness/databases_content.ts'
import { expectError } from '../harness/expectations.ts'
import { idOf, resultsOf } from '../harness/json.ts'
import { checksRules } from '../harness/long_runs.ts'
import { setMemberAccess } from '../../server/domain/people/sharing.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { namedPaths } from '../harness/named_paths.ts'
import { serverOfFile } from '../harness/server.ts'
import { subjectsOf } from './support/border_kinds.ts'
import { agentRows } from './support/border_agent_rows.ts'
import { contentRows } from './support/border_content_rows.ts'
import type { RequestContext, BorderRow } from './support/border_rows.ts'
import { meetingNotesRows } from './support/border_meeting_notes_rows.ts'
import { schemaRows } from './support/border_schema_rows.ts'
import { sessionRows } from './support/border_session_rows.ts'
import { targetRows } from './support/border_target_rows.ts'
import { valueAndQueryRows } from './support/border_value_rows.ts'
import { viewAndConfigurationRows } from './support/border_view_rows.ts'
import { disclosed } from './support/border_disclosed.ts'
import { makeWorld, readHidden, type CallerName } from './support/border_world.ts'

/** Hidden objects are reported as missing: replaces each object id in each request by a hidden one. */

const rows: readonly BorderRow[] = [
  ...contentRows,
  ...targetRows,
  ...valueAndQueryRows,
  ...viewAndConfigurationRows,
  ...schemaRows,
  ...meetingNotesRows,
  ...agentRows,
  ...sessionRows,
]
const operations = servedWith('bearer', 'connection')

/** Paths that need no row, and the reasons. */
const reasons: readonly (readonly [location: RegExp, reason: string])[] = [
  [
    /(?:^|\.)start_cursor$/,
    'made by the service and bound to list and caller, or the id of an entry: all others get the same response',
  ],
  [/^JsonValue\.|^PartialUserRequest\.(?:person|bot)\.\*$/, 'parts of a user that are read and sent back; they are ignored'],
  [/^PlaceValueRequest\.(?:aws|google)_place_id$/, 'names that other services give'],
  [/^ReferenceLineRequest\.id$/, 'a name that the caller gives'],
  [/^DataSourcePropertiesRequest\.\*$/, 'names of columns that are made with their data source'],
  [/^StatusOptionUpdateRequest\.id$/, 'found as that of SchemaOptionUpdateRequest'],
  [/^PropertyConfigUpdate\.name$|\.synced_property_name$/, 'names that columns get: asked for below'],
  [/^\w+PropertyConfigRequest\.id$/, 'empty or refused: a new column has none yet'],
  [/^(?:Schema|Status)OptionRequest\.id$/, 'empty or refused: a new option has none yet'],
  [/^StatusGroupRequest\.(?:id|option_ids\[\])$/, 'the id is ignored; options are those of the column at hand'],
  [/^SessionMetadataRequest\.\*$/, 'names that the caller gives'],
  [/^SessionReplayRequest\.session_id$/, 'refused without a stream; found as that of SessionActionsRequest'],
  [/^(?:ActionDecisionRequest\.action_id|CancelSessionRequest\.event_id)$/, 'of the session that is named beside it'],
  [/^RollupSubfilter\.property$/, 'ignored: the condition is on what the rollup shows'],
  [/^query\.name$/, 'part of a name, which chooses among what is listed'],
]

const server = await serverOfFile()
const world = await makeWorld(server)

async function outcomeOf(row: BorderRow, subject: string, context: RequestContext): Promise<string> {
  const { caller } = context.world.own[context.caller]
  const operation = operations.find(({ id }) => id === row.operation) as KnownOperation
  const { headers, ...parts } = await row.request(subject, context)
  return disclosed(
    await caller.call(row.operation, { ...parts, headers: { 'Service-Version': versionOf(operation), ...headers } }),
    subject,
  )
}

const nameOf = ({ location, kind, note }: BorderRow): string => `${location} (${kind}${note === undefined ? '' : `, ${note}`})`
const rowOperations = [...new Set(rows.map(({ operation }) => operation))]
/** On PostgreSQL one path for each operation, since all paths of an operation find records alike; all paths in long runs. */
const rowsOf = (operation: string): BorderRow[] =>
  rows.filter((row) => row.operation === operation).slice(0, checksRules ? undefined : 1)

describe.each(['a connection', 'a member'] as const)('for %s', (caller: CallerName) => {
  let before: string
  beforeAll(async () => {
    before = await readHidden(world)
    server.clock.advance(1_000)
  })

  it.each(rowOperations)('%s returns the same response for a hidden object as for a missing one', async (operation) => {
    for (const row of rowsOf(operation)) {
      const { hidden, missing } = subjectsOf(row.kind, world, caller)
      const ghost = await outcomeOf(row, missing, { world, caller })
      for (const [index, one] of hidden.entries())
        expect(await outcomeOf(row, one, { world, caller }), `${nameOf(row)}, hidden ${index}`).toBe(ghost)
    }
  })

  it('no request changes a hidden object', async () => {
    expect(await readHidden(world)).toBe(before)
  })
})

describe('for a caller who sees the object', () => {
  it.each(rowOperations)('%s succeeds', async (operation) => {
    const context = { world, caller: 'a connection' } as const
    for (const row of rowsOf(operation).filter(({ isSilent }) => !isSilent)) {
      const { visible } = subjectsOf(row.kind, world, context.caller)
      const seen = (await row.fresh?.(context)) ?? row.visible?.(context) ?? visible
      expect(await outcomeOf(row, seen, context), nameOf(row)).toMatch(/^20/)
    }
  })
})

// If you are here because a path is listed: a request can name an object there that its caller cannot see. Give it a row in
// support/border_*_rows.ts, or a reason above if it cannot name an object of the workspace. Remove a row whose path no longer exists.
it('each location that names an object in a request has a test row, or a reason why it has none', () => {
  const known = new Set(rows.map(({ operation, location }) => `${operation} ${location}`))
  const locations = operations.flatMap((operation) => [...namedPaths(operation)].map((location) => `${operation.id} ${location}`))
  const open = locations.filter(
    (location) => !known.has(location) && !reasons.some(([pattern]) => pattern.test(location.split(' ')[1] ?? '')),
  )
  expect(open).toEqual([])
  expect([...known].filter((location) => !locations.includes(location))).toEqual([])
})

it('a caller may give a column the name of a hidden column; others see a number appended to the new name', async () => {
  const { shown, target, owner, own, columns, targetColumns } = world
  const { caller } = own['a connection']
  const change = (caller: Caller, properties: object): Promise<TestResponse> =>
    caller.call('updateDataSource', { path: { data_source_id: shown.source }, body: { properties } })
  const namesById = async (caller: Caller): Promise<Record<string, string>> => {
    const found = await columnsOf(caller, shown.source)
    return Object.fromEntries(Object.entries(found).map(([name, { id }]) => [String(id), name]))
  }
  const before = await readHidden(world)
  expect((await change(caller, { [columns['Count'] ?? '']: { name: 'Secret' } })).status).toBe(200)
  expect((await namesById(caller))[columns['Count'] ?? '']).toBe('Secret')
  const names = await namesById(owner)
  expect([names[columns['Count'] ?? ''], names[columns['Secret'] ?? '']]).toEqual(['Secret 2', 'Secret'])
  expect((await change(owner, { Secret: { description: 'Seen by few' } })).status).toBe(200)
  // A caller that sees both columns knows it as number 2, so it keeps the number.
  expect((await change(caller, { 'Secret 2': { name: 'Count' } })).status).toBe(200)
  expect((await columnsOf(owner, shown.source))['Secret']).toMatchObject({ description: 'Seen by few' })
  const dual_property = { synced_property_name: 'Closed' }
  const pair = { Pair: { relation: { data_source_id: target.source, dual_property } } }
  expect((await change(caller, pair)).status).toBe(200)
  expect(await columnsOf(caller, target.source)).toMatchObject({ Closed: { relation: { data_source_id: shown.source } } })
  const opposites = await columnsOf(owner, target.source)
  expect(opposites).toMatchObject({ Closed: { id: targetColumns['Closed'] }, 'Closed 2': { type: 'relation' } })
  expect(await readHidden(world)).toBe(before)
})

it('moving a row keeps the reverse links of its hidden relations', async () => {
  const { shown, owner, own, hidden } = world
  const { caller } = own['a connection']
  const row = idOf(await makeRow(owner, shown.source, { Secret: { relation: [{ id: hidden.row }] } }))
  const before = await readHidden(world)
  server.clock.advance(1_000)
  const moved = await caller.call('movePage', { path: { page_id: row }, body: { parent: { page_id: shown.inner } } })
  expect(moved.status).toBe(200)
  expect(await readHidden(world)).toBe(before)
})

it("a member's lists omit closed rows, pages and databases, and the member's writes keep the links to them", async () => {
  const { shown, target, owner, own } = world
  const { caller } = own['a member']
  const [closedRow, openRow] = [idOf(await makeRow(owner, target.source)), idOf(await makeRow(owner, target.source))]
  const [closedPage, openPage] = [await makePage(owner, 'Closed', shown.page), await makePage(owner, 'Open', shown.page)]
  const relation = [closedRow, openRow].map((id) => ({ id }))
  const row = idOf(await makeRow(owner, shown.source, { Openly: { relation } }))
  const { id: workspaceId } = exampleWorkspace.workspace
  await server.service.database.write(async (db) => {
    for (const id of [closedRow, closedPage]) await setMemberAccess(db, workspaceId, id, 'everybody', 'none', server.clock.now())
  })
  const listed = (await children(caller, shown.page)).map(idOf)
  expect([listed.includes(openPage), listed.includes(closedPage)]).toEqual([true, false])
  const queried = await caller.call('queryDataSource', { path: { data_source_id: target.source }, body: {} })
  const found = resultsOf(queried.body).map(idOf)
  expect([found.includes(openRow), found.includes(closedRow)]).toEqual([true, false])

  const location = { type: 'after_block', after_block: { id: closedPage } }
  const append = { path: { block_id: shown.page }, body: { children: [paragraph('x')], position: location } }
  expectError(await caller.call('appendBlockChildren', append), 400, 'validation_error', 'body.position.after_block.id')

  const before = (await readRow(owner, closedRow))['properties']
  server.clock.advance(1_000)
  const emptied = await caller.call('updatePage', { path: { page_id: row }, body: { properties: { Openly: { relation: [] } } } })
  expect(emptied.status).toBe(200)
  expect((await readRow(owner, closedRow))['properties']).toEqual(before)
  expect(await valuesOf(owner, row)).toMatchObject({ Openly: [{ id: closedRow }] })
})
