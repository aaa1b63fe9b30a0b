import { setTimeout as pause } from 'node:timers/promises'
import {
  listWebhooks,
  replayWebhook,
  requireWebhook,
  showWebhook,
  testWebhook,
  webhookLog,
  type LoggedDelivery,
  type WebhookSubscriptionRow,
} from '@workspace-service/server/domain/administration/index.ts'
import type { Database } from '@workspace-service/server/domain/shared/index.ts'
import { readJson } from '@workspace-service/server/store/stored/read_json.ts'
import { wholeNumberOption } from './arguments.ts'
import { parseId, type Changed } from './command_context.ts'
import { CommandError } from './exit_codes.ts'
import { connectionOf, subscriptionOf } from './names.ts'
import { details, timestamp, when, type JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

const LOG_ROWS_MAX = 1_000
const TEST_SECONDS = 15
const LOOK_MS = 200

export function addWebhookCommands(program: ServiceCommand): void {
  const webhook = program.command('webhook').description('webhook subscriptions and their deliveries')
  addListCommand(webhook)
  addShowCommand(webhook)
  addLogCommand(webhook)
  addReplayCommand(webhook)
  addTestCommand(webhook)
}

function addListCommand(webhook: ServiceCommand): void {
  webhook
    .command('list')
    .description('list all webhook subscriptions, oldest first')
    .option('-c, --connection <connection>', 'only those of one connection')
    .run(async (context, { connection }: { connection?: string }) => {
      const rows = await context.read(async (db) =>
        listWebhooks(db, connection === undefined ? undefined : await connectionOf(db, connection)),
      )
      context.list(
        rows,
        resultOf,
        'There are no webhook subscriptions.',
        ['ID', 'STATUS', 'URL', 'CONNECTION', 'FAILING SINCE'],
        (row) => [row.id, statusOf(row), row.url, row.connection_id, when(row.failing_since)],
      )
    })
}

function addShowCommand(webhook: ServiceCommand): void {
  webhook
    .command('show <subscription>')
    .description('show a subscription and the state of its receiver')
    .run(async (context, text: string) => {
      const { row, waiting } = await context.read(async (db) => showWebhook(db, await subscriptionOf(db, text)))
      context.result({ ...resultOf(row), waiting_deliveries: waiting }, () => [
        ...details(
          Object.entries({
            Id: row.id,
            Name: row.name ?? '-',
            URL: row.url,
            Connection: row.connection_id,
            Status: statusOf(row),
            'Event types': eventTypesOf(row).join(', '),
            'API version': row.api_version,
            Created: when(row.created_time),
            Verified: when(row.verified_time),
            'Last verification': verificationOf(row),
            Waiting: `${waiting} deliveries`,
            'Failing since': when(row.failing_since),
            'Lost since then': `${row.lost_events} events`,
          }),
        ),
      ])
    })
}

function addLogCommand(webhook: ServiceCommand): void {
  webhook
    .command('log <subscription>')
    .description('list deliveries: waiting ones first, then finished ones, latest first')
    .option('-l, --limit <count>', `maximum number of deliveries, 1 to ${LOG_ROWS_MAX}`, wholeNumberOption(1, LOG_ROWS_MAX), 50)
    .run(async (context, text: string, { limit }: { limit: number }) => {
      const rows = await context.read(async (db) => webhookLog(db, await subscriptionOf(db, text), limit))
      context.list(
        rows,
        deliveryOf,
        'The log is empty.',
        ['EVENT', 'TYPE', 'STATE', 'ATTEMPTS', 'RESPONSE', 'LAST ATTEMPT', 'NEXT'],
        (row) => [
          row.event_id,
          row.event_type,
          stateOf(row),
          String(row.attempts),
          row.error ?? String(row.status_code ?? '-'),
          when(row.attempt_time),
          when(row.due_time),
        ],
      )
    })
}

function addReplayCommand(webhook: ServiceCommand): void {
  webhook
    .command('replay <subscription> [event]')
    .description('deliver an event in the log again; without an event, all dropped events')
    .addHelpText('after', '\nAn event keeps its id, so that receivers can recognize repeats.')
    .run(async (context, text: string, event: string | undefined) => {
      const eventId = event === undefined ? undefined : parseId(event, 'an event', 'webhook log <subscription>')
      const { id, count } = await context.write(
        async (db) => {
          const found = await subscriptionOf(db, text)
          return { id: found, count: await replayWebhook(db, found, eventId, Date.now()), row: await requireWebhook(db, found) }
        },
        ({ row }) => changedBy(row),
      )
      context.result({ id, replayed: count }, () => [`${count} deliveries will be sent again.`])
    })
}

function addTestCommand(webhook: ServiceCommand): void {
  webhook
    .command('test <subscription>')
    .description('make the running service send the verification request, and show the result')
    .run(async (context, text: string) => {
      const row = await context.withDatabase(async (database) => {
        const before = await database.write(async (db) => {
          const row = await testWebhook(db, await subscriptionOf(db, text), Date.now())
          await context.record(db, changedBy(row))
          return row
        })
        return waitForTest(database, before)
      })
      context.result(
        {
          id: row.id,
          url: row.url,
          acknowledged: row.verification_error === null,
          status_code: row.verification_status,
          error: row.verification_error,
        },
        () => [verificationOf(row)],
      )
    })
}

function changedBy({ workspace_id: workspaceId, id, url }: WebhookSubscriptionRow): Changed {
  return { workspaceId, id, name: url }
}

async function waitForTest(database: Database, before: WebhookSubscriptionRow): Promise<WebhookSubscriptionRow> {
  for (const end = performance.now() + TEST_SECONDS * 1_000; performance.now() < end;) {
    await pause(LOOK_MS)
    const row = await database.read((db) => requireWebhook(db, before.id))
    if (row.verification_time !== before.verification_time) return row
  }
  throw new CommandError(
    `No result after ${TEST_SECONDS} seconds. The running service sends the request: check that it is running.`,
  )
}

function statusOf({ status, pause_reason: reason }: WebhookSubscriptionRow): string {
  return reason === null ? status : `${status} (${reason})`
}

function verificationOf({
  verification_time: time,
  verification_status: status,
  verification_error: error,
}: WebhookSubscriptionRow): string {
  return time === null ? '-' : `${when(time)}: ${error ?? `acknowledged with status ${status}`}`
}

function stateOf(row: LoggedDelivery): string {
  if (row.ended_time === null) return 'waiting'
  return row.is_delivered === 1 ? 'delivered' : 'given up'
}

function eventTypesOf({ id, event_types: types }: WebhookSubscriptionRow): readonly string[] {
  return readJson('webhook_subscriptions.event_types', id, types) as string[]
}

function resultOf(row: WebhookSubscriptionRow): JsonResult {
  return {
    id: row.id,
    connection_id: row.connection_id,
    name: row.name,
    url: row.url,
    event_types: eventTypesOf(row),
    api_version: row.api_version,
    status: row.status,
    pause_reason: row.pause_reason,
    created_time: timestamp(row.created_time),
    verified_time: timestamp(row.verified_time),
    verification_time: timestamp(row.verification_time),
    verification_status_code: row.verification_status,
    verification_error: row.verification_error,
    failing_since: timestamp(row.failing_since),
    lost_events: row.lost_events,
  }
}

function deliveryOf(row: LoggedDelivery): JsonResult {
  return {
    event_id: row.event_id,
    type: row.event_type,
    state: stateOf(row),
    attempts: row.attempts,
    status_code: row.status_code,
    error: row.error,
    created_time: timestamp(row.created_time),
    last_attempt_time: timestamp(row.attempt_time),
    next_attempt_time: timestamp(row.due_time),
    ended_time: timestamp(row.ended_time),
  }
}
