import {
  findRefusals,
  REFUSED_REQUESTS_MAX,
  showRefusal,
  type NamedRefusal,
  type RefusalFilter,
} from '@workspace-service/server/domain/administration/index.ts'
import { wholeNumberOption } from './arguments.ts'
import { parseId, workspaceOf } from './command_context.ts'
import { details, timestamp, when, type JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

interface ListOptions extends Omit<RefusalFilter, 'workspaceId'> {
  readonly workspace?: string
  readonly limit: number
}

const LIMIT = 100
/** From 300: refused authorization requests are redirected to the connection. */
const STATUS_MIN = 300
const STATUS_MAX = 599
const MESSAGE_LENGTH = 80

/** Adds `request list` and `request show`, for the latest refused requests. */
export function addRequestCommands(program: ServiceCommand): void {
  const request = program
    .command('request')
    .description(`the latest refused requests of each caller, ${REFUSED_REQUESTS_MAX.toLocaleString('en')} in total`)
  addListCommand(request)
  request
    .command('show <request>')
    .description('show a refused request: who sent it, what was wrong and where')
    .example('request show 4f7c2a1e-9b3d-4e58-8a60-d1c5b7e92f34')
    .run(async (context, text: string) => {
      const found = await context.read((db) => showRefusal(db, parseId(text, 'a request', 'request list')))
      context.result({ ...resultOf(found), body: found.body as JsonResult | null }, () => [
        ...details([
          ['Request', found.requestId],
          ['Time', when(found.time)],
          ['Operation', found.operation],
          ['Method and path', `${found.method} ${found.path}`.trim() || '-'],
          ['Status', `${found.status} ${found.code}`],
          ['Workspace', named(found.workspace)],
          ['Connection', named(found.connection)],
          ['Member', named(found.member)],
          ['Locations', found.places.join(', ') || '-'],
          ['Reason', found.message.replaceAll('\n', ' ')],
        ]),
        ...(found.body === null ? [] : ['Body:', JSON.stringify(found.body, undefined, 2)]),
      ])
    })
}

function addListCommand(request: ServiceCommand): void {
  request
    .command('list')
    .description('list refused requests, newest first')
    .option('-w, --workspace <workspace>', 'only requests of callers in this workspace')
    .option('-s, --status <status>', 'only those with this status', wholeNumberOption(STATUS_MIN, STATUS_MAX))
    .option('-o, --operation <operation>', 'only those of this operation, such as createPage')
    .option('--limit <number>', 'maximum number of requests', wholeNumberOption(1, REFUSED_REQUESTS_MAX), LIMIT)
    .run(async (context, { workspace, limit, ...filter }: ListOptions) => {
      const requests = await context.read(async (db) => {
        const workspaceId = workspace === undefined ? undefined : await workspaceOf(db, workspace)
        return findRefusals(db, { ...filter, ...(workspaceId !== undefined && { workspaceId }) }, limit)
      })
      context.list(
        requests,
        resultOf,
        'No matching requests.',
        ['TIME', 'REQUEST', 'STATUS', 'OPERATION', 'CALLER', 'PLACE', 'REASON'],
        ({ time, requestId, status, code, operation, workspace: home, connection, member, places, message }) => [
          when(time),
          requestId,
          `${status} ${code}`,
          operation,
          (connection ?? member ?? home)?.name ?? '-',
          places[0] ?? '-',
          message.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_LENGTH),
        ],
      )
    })
}

function named(party: NamedRefusal['workspace']): string {
  return party ? `${party.name ?? 'no name'} (${party.id})` : '-'
}

function resultOf(refusal: NamedRefusal): JsonResult {
  const { requestId, time, status, code, method, path, operation, workspace, connection, member, places, message } = refusal
  return {
    ...{ request_id: requestId, time: timestamp(time), status, code, method, path, operation },
    ...{ workspace: partyJson(workspace), connection: partyJson(connection), member: partyJson(member) },
    ...{ places, message },
  }
}

function partyJson(party: NamedRefusal['workspace']): JsonResult | null {
  return party ? { id: party.id, name: party.name } : null
}
