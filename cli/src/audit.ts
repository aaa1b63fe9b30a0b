import {
  COMMAND_LINE,
  findAuditEntries,
  isAuditCursor,
  type AuditEntry,
  type AuditQuery,
} from '@workspace-service/server/domain/administration/index.ts'
import type { Connection } from '@workspace-service/server/store/database.ts'
import { InvalidArgumentError } from 'commander'
import { wholeNumberOption } from './arguments.ts'
import { parseId, workspaceOf } from './command_context.ts'
import { auditedActorOf } from './names.ts'
import { textTable, timestamp, when, type JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

interface ListOptions extends Pick<AuditQuery, 'since' | 'action'> {
  readonly workspace?: string
  readonly actor?: string
  readonly object?: string
  readonly after?: string
  readonly limit: number
}

const LIMIT = 100
const LIMIT_MAX = 10_000
const COMMAND_LINE_WORD = 'command-line'

/** Adds `audit list`, for what people, programs and the command line have done. */
export function addAuditCommands(program: ServiceCommand): void {
  program
    .command('audit')
    .description('the audit log: who changed what')
    .command('list')
    .description('list entries, newest first')
    .option('-w, --workspace <workspace>', 'only entries of this workspace')
    .option('-s, --since <time>', 'only entries from this time on, such as 2026-05-16 or 2026-05-16T04:30Z', parseTime)
    .option('-a, --actor <actor>', `only acts of this person, connection or bot, or of the \`${COMMAND_LINE_WORD}\``)
    .option('--action <action>', 'only this action, such as createPage, "user create" or personal_token.created')
    .option('-o, --object <id>', 'only changes of the page, user or other object with this id')
    .option('--limit <number>', 'maximum number of entries', wholeNumberOption(1, LIMIT_MAX), LIMIT)
    .option('--after <cursor>', 'continue a list with the next_cursor of its previous page', parseCursor)
    .example('audit list --since 2026-05-16 --actor ines@northshore.example')
    .run(async (context, options: ListOptions) => {
      const { entries, nextCursor } = await context.read(async (db) =>
        findAuditEntries(db, await queryOf(db, options), options.limit),
      )
      context.result({ results: entries.map(resultOf), next_cursor: nextCursor ?? null }, () => [
        ...textTable(
          ['TIME', 'ACTOR', 'ACTION', 'OBJECT', 'WORKSPACE', 'REQUEST', 'ADDRESS'],
          entries.map(cellsOf),
          nextCursor === undefined ? 'No matching entries.' : 'No matching entries among the newest.',
        ),
        ...(nextCursor === undefined ? [] : [`There are older entries. List them with: --after ${nextCursor}`]),
      ])
    })
}

async function queryOf(db: Connection, { workspace, actor, object, since, action, after }: ListOptions): Promise<AuditQuery> {
  return {
    ...{ since, action, cursor: after },
    workspaceId: workspace === undefined ? undefined : await workspaceOf(db, workspace),
    actor: actor === undefined ? undefined : actor === COMMAND_LINE_WORD ? COMMAND_LINE : await auditedActorOf(db, actor),
    objectId: object === undefined ? undefined : parseId(object, 'an object'),
  }
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

function parseTime(text: string): number {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new InvalidArgumentError('It should be a date, or a time with its zone.')
  return time
}

function parseCursor(text: string): string {
  if (!isAuditCursor(text)) throw new InvalidArgumentError('It should be the next_cursor of a list.')
  return text
}

function cellsOf({ time, actor, action, object, workspace, requestId, address }: AuditEntry): string[] {
  return [
    when(time),
    actor ? (actor.name ?? actor.id) : COMMAND_LINE_WORD,
    action,
    object ? [object.type, object.id, object.name].filter((part) => part !== null).join(' ') : '-',
    workspace ? (workspace.name ?? workspace.id) : '-',
    requestId ?? '-',
    address ?? '-',
  ]
}

function resultOf({ time, actor, action, object, workspace, requestId, address }: AuditEntry): JsonResult {
  return {
    time: timestamp(time),
    actor: actor ? { ...actor } : { type: COMMAND_LINE, id: null, name: null },
    action,
    object: object ? { ...object } : null,
    workspace: workspace ? { ...workspace } : null,
    request_id: requestId,
    address,
  }
}
