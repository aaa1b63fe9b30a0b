import { EDIT_LEVEL } from './agent_access.ts'
import { allOf, anyOf } from './conditions.ts'
import { raw, sql, valueList, type Sql } from './sql.ts'

/** A filter on agents. A value that the viewer's level hides does not match any test. */
export type AgentTest =
  | { readonly kind: 'all' | 'any'; readonly tests: readonly AgentTest[] }
  | { readonly kind: 'never' }
  | { readonly kind: 'id' | 'type' | 'creator'; readonly among: readonly string[] }
  | {
      readonly kind: 'time'
      readonly column: 'created_time' | 'last_run_time'
      /** Exclusive bounds in milliseconds since 1970. */
      readonly after: number | undefined
      readonly before: number | undefined
    }
  | { readonly kind: 'favorite'; readonly userId: string; readonly isFavorite: boolean }
  /** Matches agents with a tool server whose host contains `part`, which is in lower case. */
  | { readonly kind: 'host'; readonly part: string }
  | { readonly kind: 'status'; readonly among: readonly ('active' | 'disabled' | 'deleted')[] }
  | { readonly kind: 'model'; readonly mode: 'auto' | 'pinned' }
  | { readonly kind: 'version'; readonly number: number }
  /** Matches agents whose name, or for `text` also whose description, contains `part`, which is in lower case. */
  | { readonly kind: 'name' | 'text'; readonly part: string }

/** The number of elementary tests in a test. */
export function agentTestSize(test: AgentTest): number {
  if (test.kind === 'all' || test.kind === 'any') return test.tests.reduce((sum, part) => sum + agentTestSize(part), 0)
  return 'among' in test ? test.among.length : 1
}

/** The exclusive bounds that the last run of every matching agent must satisfy; undefined if the test requires none. */
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

/** A time of an agent `a` in SQL; null if the viewer may not see it. */
export function timeColumn(column: 'created_time' | 'last_run_time'): string {
  return column === 'created_time' ? 'a.created_time' : `case when a.level >= ${EDIT_LEVEL} then a.last_run_time end`
}

/** The test as a condition on an agent `a` that has the viewer's `level`. */
export function sqlOfAgentTest(test: AgentTest, workspaceId: string, now: number): Sql {
  switch (test.kind) {
    case 'all':
      return allOf(test.tests.map((part) => sqlOfAgentTest(part, workspaceId, now)))
    case 'any':
      return anyOf(test.tests.map((part) => sqlOfAgentTest(part, workspaceId, now)))
    case 'never':
      return anyOf([])
    case 'id':
      return sql`(a.id in (${valueList(test.among)}))`
    case 'type':
      return sql`(a.type in (${valueList(test.among)}))`
    case 'creator':
      return sql`(a.created_by in (${valueList(test.among)}))`
    case 'time':
      return sqlOfTimes(timeColumn(test.column), test.after, test.before)
    case 'favorite':
      return sql`(${raw(test.isFavorite ? '' : 'not ')}exists (select 1 from agent_favorites f
          where f.workspace_id = ${workspaceId} and f.user_id = ${test.userId} and f.agent_id = a.id))`
    case 'host':
      return sql`(a.level >= ${raw(EDIT_LEVEL)} and replace(a.server_hosts, ${test.part}, '') <> a.server_hosts)`
    case 'status':
      return sqlOfStatus(test.among, now)
    case 'model':
      return sql`(a.model_mode = ${test.mode})`
    case 'version':
      return sql`(a.version_number = ${test.number})`
    case 'name':
      return contains('a.lower_name', test.part)
    case 'text':
      return anyOf([contains('a.lower_name', test.part), contains('a.lower_description', test.part)])
  }
}

function contains(column: string, part: string): Sql {
  return sql`(replace(${raw(column)}, ${part}, '') <> ${raw(column)})`
}

function sqlOfTimes(column: string, after: number | undefined, before: number | undefined): Sql {
  const bounds: Sql[] = []
  if (after !== undefined) bounds.push(sql`${raw(column)} > ${after}`)
  if (before !== undefined) bounds.push(sql`${raw(column)} < ${before}`)
  return allOf(bounds)
}

function sqlOfStatus(statuses: readonly ('active' | 'disabled' | 'deleted')[], now: number): Sql {
  const isPaused = sql`(a.pause_reason is not null and (a.pause_end_time is null or a.pause_end_time > ${now}))`
  const conditions = {
    active: sql`(a.deleted_time is null and not ${isPaused})`,
    disabled: sql`(a.deleted_time is null and ${isPaused})`,
    deleted: sql`(a.deleted_time is not null)`,
  }
  return anyOf(statuses.map((status) => conditions[status]))
}
