import { EDIT_LEVEL } from './agent_access.ts'
import { allOf, anyOf } from './conditions.ts'
import type { Sql as SqlPart, SqlValue } from './sql.ts'

/** What is asked of an agent. Values that its level hides from the caller pass no test. */
export type AgentTest =
  | { readonly kind: 'all' | 'any'; readonly tests: readonly AgentTest[] }
  | { readonly kind: 'never' }
  | { readonly kind: 'id' | 'type' | 'creator'; readonly among: readonly string[] }
  | {
      readonly kind: 'time'
      readonly column: 'created_time' | 'last_run_time'
      /** Not included, as milliseconds since 1970. */
      readonly after: number | undefined
      readonly before: number | undefined
    }
  | { readonly kind: 'favorite'; readonly userId: string; readonly isFavorite: boolean }
  /** A part of the host of a tool server, in lower case. */
  | { readonly kind: 'host'; readonly part: string }
  | { readonly kind: 'status'; readonly among: readonly ('active' | 'disabled' | 'deleted')[] }
  | { readonly kind: 'model'; readonly mode: 'auto' | 'pinned' }
  | { readonly kind: 'version'; readonly number: number }
  /** A part of the name, or of the name or the description, in lower case. */
  | { readonly kind: 'name' | 'text'; readonly part: string }

/** How many single tests there are in a test. */
export function agentTestSize(test: AgentTest): number {
  if (test.kind === 'all' || test.kind === 'any') return test.tests.reduce((sum, part) => sum + agentTestSize(part), 0)
  return 'among' in test ? test.among.length : 1
}

/** When agents that pass must have run last: neither end included, undefined for none. Undefined where that is not asked. */
export function neededRun(
  test: AgentTest,
): { readonly after: number | undefined; readonly before: number | undefined } | undefined {
  switch (test.kind) {
    case 'all':
      return test.tests.map(neededRun).find((needed) => needed !== undefined)
    case 'time':
      return test.column === 'last_run_time' && (test.after ?? test.before) !== undefined ? test : undefined
    case 'any':
    case 'never':
    case 'id':
    case 'type':
    case 'creator':
    case 'favorite':
    case 'host':
    case 'status':
    case 'model':
    case 'version':
    case 'name':
    case 'text':
      return undefined
  }
}

/** A time of an agent `a`, null where it is hidden. */
export function timeColumn(column: 'created_time' | 'last_run_time'): string {
  return column === 'created_time' ? 'a.created_time' : `case when a.level >= ${EDIT_LEVEL} then a.last_run_time end`
}

/** The test as a condition on an agent `a` that comes with the caller's `level`. */
export function sqlOfAgentTest(test: AgentTest, workspaceId: string, now: number): SqlPart {
  switch (test.kind) {
    case 'all':
      return allOf(test.tests.map((part) => sqlOfAgentTest(part, workspaceId, now)))
    case 'any':
      return anyOf(test.tests.map((part) => sqlOfAgentTest(part, workspaceId, now)))
    case 'never':
      return anyOf([])
    case 'id':
      return among('a.id', test.among)
    case 'type':
      return among('a.type', test.among)
    case 'creator':
      return among('a.created_by', test.among)
    case 'time':
      return sqlOfTimes(timeColumn(test.column), test.after, test.before)
    case 'favorite':
      return {
        sql: `(${test.isFavorite ? '' : 'not '}exists (select 1 from agent_favorites f
          where f.workspace_id = ? and f.user_id = ? and f.agent_id = a.id))`,
        parameters: [workspaceId, test.userId],
      }
    case 'host':
      return { sql: `(a.level >= ${EDIT_LEVEL} and replace(a.server_hosts, ?, '') <> a.server_hosts)`, parameters: [test.part] }
    case 'status':
      return sqlOfStatus(test.among, now)
    case 'model':
      return { sql: '(a.model_mode = ?)', parameters: [test.mode] }
    case 'version':
      return { sql: '(a.version_number = ?)', parameters: [test.number] }
    case 'name':
      return contains('a.lower_name', test.part)
    case 'text':
      return anyOf([contains('a.lower_name', test.part), contains('a.lower_description', test.part)])
  }
}

function among(column: string, values: readonly SqlValue[]): SqlPart {
  return { sql: `(${column} in (${values.map(() => '?').join(', ')}))`, parameters: values }
}

function contains(column: string, part: string): SqlPart {
  return { sql: `(replace(${column}, ?, '') <> ${column})`, parameters: [part] }
}

function sqlOfTimes(column: string, after: number | undefined, before: number | undefined): SqlPart {
  const bounds: SqlPart[] = []
  if (after !== undefined) bounds.push({ sql: `${column} > ?`, parameters: [after] })
  if (before !== undefined) bounds.push({ sql: `${column} < ?`, parameters: [before] })
  return allOf(bounds)
}

function sqlOfStatus(statuses: readonly ('active' | 'disabled' | 'deleted')[], now: number): SqlPart {
  const isPaused = '(a.pause_reason is not null and (a.pause_end_time is null or a.pause_end_time > ?))'
  const parts = {
    active: { sql: `(a.deleted_time is null and not ${isPaused})`, parameters: [now] },
    disabled: { sql: `(a.deleted_time is null and ${isPaused})`, parameters: [now] },
    deleted: { sql: '(a.deleted_time is not null)', parameters: [] },
  }
  return anyOf(statuses.map((status) => parts[status]))
}
