import { loadCatalog } from '../../server/store/dialects/catalog.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { observeStatements } from '../../server/store/sql.ts'

/**
 * Checks that each statement of the service names the workspace of each table that it reads or changes. Then a mistake
 * elsewhere cannot show the rows of another workspace, and a distributed database finds all of them on one node.
 */

/** Tables whose rows are found before their workspace is known, or that belong to no single workspace, with the reason. */
const FOUND_BEFORE: Readonly<Record<string, string>> = {
  authorization_codes: 'found by the digest of a secret',
  tokens: 'found by the digest of a secret',
  connections: 'found by the id that a token, a client or an operator names',
  jobs: 'one queue for the deployment',
  webhook_subscriptions: 'a subscription receives the events of every workspace that has a bot of its connection',
  webhook_workspaces: 'the workspaces of a subscription',
}

/** Functions whose statements read or change rows of several workspaces, with the reason. None of them serves the content of a workspace. */
const SPANNING: Readonly<Record<string, string>> = {
  'migrations.ts runMigration': 'changes the schema',
  'stored/references.ts broken': 'doctor',
  'stored/references.ts brokenInAll': 'doctor',
  'newest_edit_time.ts newestEditTime': 'doctor',
  'workspaces.ts listWorkspaces': 'command line and doctor',
  'workspace_rows.ts streamWhere': 'doctor; exports name their workspace',
  'workspace_rows.ts deleteOrphanedAccounts': 'deletes a workspace, but no account that another has',
  'workspace_rows.ts objectsUsedElsewhere': 'deletes a workspace, but no file that another uses',
  'file_parts.ts eachPart': 'copies all files',
  'file_objects.ts findUsedObject': 'whether any workspace has files',
  'members.ts listMemberships': 'a person chooses a workspace',
  'members.ts listBots': 'the bots of a connection in all its workspaces',
  'members.ts listNewestBots': 'the bots of a connection in all its workspaces',
  'members.ts findConnectionBot': 'the bots of a connection in all its workspaces',
  'members.ts renameBots': 'the bots of a connection in all its workspaces',
  'webhook_subscriptions.ts insertSubscription': 'the workspaces of a connection',
  'agent_states.ts dropDeletedAgents': 'sweep',
  'agent_triggers.ts listOverdueSchedules': 'sweep',
  'agent_watch.ts dropHours': 'sweep',
  'async_tasks.ts dropFinishedTasks': 'sweep',
  'erased_blocks.ts nextWorkspace': 'sweep',
  'file_objects.ts listDueObjects': 'sweep',
  'file_uploads.ts listOverdueUploads': 'sweep',
  'idempotency_keys.ts dropExpiredKeys': 'sweep',
  'outbox.ts listOverdueStreams': 'sweep',
  'view_queries.ts dropEndedViewQueries': 'sweep',
  'webhook_deliveries.ts dropEndedDeliveries': 'sweep',
  'webhook_deliveries.ts recordAttempts': 'job',
}

const tables: ReadonlySet<string> = await tablesOfWorkspaces()

async function tablesOfWorkspaces(): Promise<Set<string>> {
  const database = openDatabase({ engine: 'sqlite', path: ':memory:' })
  await migrate(database)
  const catalogue = await database.read((db) => loadCatalog('sqlite', db))
  await database.close()
  const own = catalogue.filter(({ columns }) => columns.some(({ name }) => name === 'workspace_id'))
  return new Set(['workspaces', 'title_words', ...own.map(({ name }) => name)])
}

const statements = new Map<string, string>()
const checked = new Set<string>()

/** From now on, notes each new statement in this process with the function that runs it, unless a test runs it. */
export function watchStatements(): void {
  observeStatements((sql) => {
    if (statements.has(sql)) return
    statements.set(sql, originOf(new Error().stack ?? ''))
  })
}

const FRAME =
  /at (?:async )?(?:new )?(?:(\S+) \()?(?:file:\/\/)?\/\S*?\/((?:server|cli|archive|cloning|testkit|tests|bench)\/[\w./]+\.ts)/g
const BETWEEN = /^(?:server\/store\/(?:dialects\/|sql\.ts)|tests\/harness\/(?:workspace_conditions|observed)\.ts)/

/** The file and function that first called the store; empty for a test. */
function originOf(stack: string): string {
  const frame = [...stack.matchAll(FRAME)].find(([, , file = '']) => !BETWEEN.test(file))
  const [, name = '', file = 'tests/'] = frame ?? []
  return file.startsWith('tests/') || file.startsWith('bench/') ? '' : `${file.replace(/^server\/store\//, '')} ${name}`
}

/** @returns the tables of new statements that lack a workspace, with the statements */
export function unnamedWorkspaces(): string[] {
  const found: string[] = []
  for (const [sql, origin] of statements) {
    if (origin === '' || origin in SPANNING || checked.has(sql)) continue
    checked.add(sql)
    if (/\bctid\b/.test(sql)) found.push(`${origin}: ctid in: ${sql}`)
    for (const table of tablesWithoutWorkspace(sql)) found.push(`${origin}: ${table} in: ${sql.replaceAll(/\s+/g, ' ')}`)
  }
  return found
}

/** The tables that a statement mentions without a condition on their workspace in the same query. */
export function tablesWithoutWorkspace(sql: string): string[] {
  return queriesOf(sql).flatMap((query) => {
    const mentions = mentionsIn(query)
    const named = new Set(mentions.filter((mention) => isFixed(query, mention, mentions.length)))
    for (let before = -1; before < named.size;) {
      before = named.size
      for (const one of mentions) if ([...named].some((other) => areEqual(query, one, other))) named.add(one)
    }
    return mentions.filter((mention) => !named.has(mention)).map(({ table }) => table)
  })
}

const SUBQUERY = /^\s*(?:select|with|update|delete|insert|values)\b/i

/** A statement and its subqueries, each without the subqueries in it. All other parentheses become ‹ and ›. */
function queriesOf(sql: string): string[] {
  const queries: string[] = []
  let rest = sql
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\s+/g, ' ')
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest.replaceAll(/\(([^()]*)\)/g, (_whole, inside: string) => {
      if (!SUBQUERY.test(inside)) return `‹${inside}›`
      queries.push(inside)
      return '§'
    })
  }
  return [...queries, rest].flatMap((query) => query.split(/\bunion(?: all)?\b/i))
}

interface Mention {
  readonly table: string
  readonly alias: string
}

const MENTION =
  /\b(?:from|join|update) (\w+)(?: (?:as )?(?!(?:where|on|set|cross|join|left|inner|order|limit|group|for|using|returning|not)\b)(\w+))?/gi

function mentionsIn(query: string): Mention[] {
  return [...query.matchAll(MENTION)]
    .map(([, table = '', alias = table]) => ({ table, alias }))
    .filter(({ table }) => tables.has(table) && !(table in FOUND_BEFORE))
}

/** Whether a query compares the workspace of a table with a parameter, alone or within the expression of an index. */
function isFixed(query: string, { table, alias }: Mention, mentions: number): boolean {
  const column = columnOf({ table, alias })
  const name = mentions === 1 ? `(?:${alias}\\.|(?<![.\\w]))` : `\\b${alias}\\.`
  return new RegExp(`${name}${column}(?: end)? = \\?|‹${name}${column}, [\\w., ]+› = ‹\\?`, 'i').test(query)
}

function areEqual(query: string, one: Mention, other: Mention): boolean {
  const [first, second] = [one, other].map((mention) => `\\b${mention.alias}\\.${columnOf(mention)}\\b`)
  return new RegExp(`${first} = ${second}|${second} = ${first}`, 'i').test(query)
}

const columnOf = ({ table }: Mention): string => (table === 'workspaces' ? 'id' : 'workspace_id')
