import type { DatabaseObject, DataSourceObject, Parent, ReleaseDate, RichTextItem } from '../../generated/types.ts'
import { operations } from '../../generated/operations.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { ContractValidator } from '../../server/contract/contract_validator.ts'
import { ServiceError } from '../../server/kernel/errors.ts'
import type { JsonObject } from '../../server/versions/json.ts'
import { Origins } from '../../server/versions/origins.ts'
import type { ReleaseChange, Lookups, NewCall, OldRequest } from '../../server/versions/release.ts'
import { releases } from '../../server/versions/releases.ts'
import { Translation } from '../../server/versions/translation.ts'

/** Every change of every release, with its date. An id may have a second part in a later release. */
export const allChanges: readonly { readonly date: ReleaseDate; readonly change: ReleaseChange }[] = releases.flatMap(
  ({ date, changes }) => changes.map((change) => ({ date, change })),
)

function changesOf(id: string): ReleaseChange[] {
  const found = allChanges.filter(({ change }) => change.id === id).map(({ change }) => change)
  if (found.length === 0) throw new Error(`no change ${id}`)
  return found
}

/** The stored data that a downgrade can look up. */
export interface Stored {
  readonly parents?: Readonly<Record<string, Parent>>
  readonly databases?: readonly { readonly database: DatabaseObject; readonly dataSources: readonly DataSourceObject[] }[]
}

export function lookupsIn({ parents = {}, databases = [] }: Stored): Lookups {
  const pick = <T>(entries: readonly (readonly [string, T])[], ids: readonly string[]): Map<string, T> =>
    new Map(entries.filter(([id]) => ids.includes(id)))
  return {
    parentsAround: (ids) => Promise.resolve(pick(Object.entries(parents), ids)),
    dataSourcesOf: (ids) =>
      Promise.resolve(
        pick(
          databases.map(({ database, dataSources }) => [database.id, dataSources] as const),
          ids,
        ),
      ),
    databasesOf: (ids) =>
      Promise.resolve(
        pick(
          databases.flatMap(({ database, dataSources }) => dataSources.map(({ id }) => [id, database] as const)),
          ids,
        ),
      ),
  }
}

/** Upgrades a request by only one change. */
export function upgradeBy(id: string, operation: OperationId, body: JsonObject, path: JsonObject = {}): OldRequest {
  const call: NewCall = { operation: operations[operation], path: { ...path }, query: {}, body: structuredClone(body) }
  const request: OldRequest = { version: versionBefore(id), call, calls: [call], origins: new Origins(), preparations: [] }
  for (const change of changesOf(id)) change.upgrade?.(request)
  return request
}

/**
 * Downgrades a response by only one change. The response itself must stay unchanged.
 * @param request the original request, if needed
 */
export async function downgradeBy(
  id: string,
  response: JsonObject,
  stored: Stored = {},
  request: OldRequest = upgradeBy(id, 'retrieveMe', {}),
): Promise<JsonObject> {
  let older = response
  const before = JSON.stringify(response)
  for (const { downgrade } of changesOf(id)) if (downgrade) older = await downgrade(older, lookupsIn(stored), request)
  if (JSON.stringify(response) !== before) throw new Error(`${id} changed the answer it was given`)
  return older
}

/** The newest version affected by a change. */
export function versionBefore(id: string): ReleaseDate {
  const dates: readonly ReleaseDate[] = ['2021-05-11', ...releases.map(({ date }) => date)]
  const own = allChanges.find(({ change }) => change.id === id)?.date
  const before = dates[dates.findIndex((date) => date === own) - 1]
  if (before === undefined) throw new Error(`nothing is before ${id}`)
  return before
}

export function translated(
  version: ReleaseDate,
  operation: OperationId,
  body: JsonObject | undefined,
  path: JsonObject = {},
): Translation {
  return new Translation(version, operations[operation], { path, query: {}, body: structuredClone(body) })
}

const validator = new ContractValidator()

/** The contract's verdict on a request of an older version: the message for its caller, or undefined if it is accepted. */
export function judge(version: ReleaseDate, operation: OperationId, body: JsonObject, path: JsonObject = {}): string | undefined {
  const translation = translated(version, operation, body, path)
  for (const call of translation.calls) {
    try {
      validator.validate(call.operation, call, [], translation.ignoresKey)
    } catch (error) {
      const located = translation.relocate(error, call)
      if (located instanceof ServiceError) return located.message
      throw error
    }
  }
  return undefined
}

export const ID = {
  page: '4f6f1f0e-6f0b-4a59-9d0b-3f1f5a9b7c21',
  block: '9d1b0f66-31a7-4c5e-b8f4-7a20c4e0d955',
  database: '2b7e5c14-8d93-4f6a-a1c0-d4f8e6b29357',
  dataSource: '6e0c9a7b-15d2-4b8e-9f34-c7a1e5d80b26',
  otherDataSource: 'a94d3f02-7c61-4e5a-8b0d-12f6c3e9d478',
  user: '0a6d3c58-9f2e-4c3b-8b61-5e7d2f4a9c03',
} as const

export function plain(content: string): RichTextItem {
  return {
    type: 'text',
    text: { content, link: null },
    plain_text: content,
    href: null,
    annotations: { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' },
  }
}

/** A database in the newest form. */
export function databaseWith(dataSources: readonly DataSourceObject[], more: Partial<DatabaseObject> = {}): DatabaseObject {
  return {
    object: 'database',
    id: ID.database,
    title: [plain('Sail locker')],
    description: [plain('All sails')],
    parent: { type: 'page_id', page_id: ID.page },
    is_inline: false,
    in_trash: false,
    is_locked: true,
    created_time: '2026-05-01T08:00:00.000Z',
    last_edited_time: '2026-05-02T08:00:00.000Z',
    data_sources: dataSources.map(({ id }) => ({ id, name: 'Sails' })),
    icon: null,
    cover: null,
    url: 'https://workspace.example/2b7e5c148d934f6aa1c0d4f8e6b29357',
    public_url: null,
    ...more,
  }
}

/** A data source in the newest form. */
export function dataSource(more: Partial<DataSourceObject> = {}): DataSourceObject {
  return {
    object: 'data_source',
    id: ID.dataSource,
    title: [],
    description: [],
    parent: { type: 'database_id', database_id: ID.database },
    database_parent: { type: 'page_id', page_id: ID.page },
    is_inline: false,
    in_trash: false,
    created_time: '2026-05-01T08:00:01.000Z',
    created_by: { object: 'user', id: ID.user },
    last_edited_time: '2026-05-03T08:00:00.000Z',
    last_edited_by: { object: 'user', id: ID.user },
    properties: { Name: { id: 'title', name: 'Name', description: null, type: 'title', title: {} } },
    icon: null,
    cover: null,
    url: 'https://workspace.example/6e0c9a7b15d24b8e9f34c7a1e5d80b26',
    public_url: null,
    ...more,
  }
}

/** A list with a single page. */
export const list = (type: string, results: unknown[]): JsonObject => ({
  object: 'list',
  type,
  [type]: {},
  results,
  has_more: false,
  next_cursor: null,
})
