import type { Database } from '../../../server/store/database.ts'
import { until } from '../../harness/process.ts'

/** Rows that a kind of sweep deletes: more than one of its transactions, with the maximum content. */
interface ExpiredRows {
  /** Statements that insert the rows. */
  readonly seed: readonly string[]
  /** A query that returns a row while any of the rows is left. */
  readonly left: string
}

const WORKSPACE = '(select id from workspaces order by created_time limit 1)'
const ID = 'randomblob(16)'
/** An id that the statements of a seed share. */
const SHARED = `x'00000000000040008000000000000abc'`
export const text = (length: number): string => `printf('%.*c', ${length}, 'x')`

/** Inserts `count` rows; in their values, `i` counts from 1. */
export function rows(count: number, into: string, values: string): string {
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) insert into ${into} select ${values} from n`
}

const LATER = 8_000_000_000_000
/** The maximum number of waiting deliveries of a subscription. */
const WAITING_MAX = 100_000

export const expiredRows: Readonly<Record<string, ExpiredRows>> = {
  sweep_idempotency_keys: {
    seed: [
      rows(
        300,
        'idempotency_keys (workspace_id, actor_id, key, fingerprint, request, claim, changed_time, status, headers, body)',
        `${WORKSPACE}, ${ID}, ${text(255)}, ${ID}, 'createPage', ${ID}, i, 200, '{}', ${text(2_000_000)}`,
      ),
    ],
    left: 'select 1 as one from idempotency_keys where changed_time <= 300 limit 1',
  },
  sweep_budget_windows: {
    seed: [rows(10_500, 'budget_windows (key, points, expire)', `${text(100)} || i, 1, i`)],
    left: 'select 1 as one from budget_windows where expire <= 10500 limit 1',
  },
  sweep_authorization_codes: {
    seed: [
      rows(
        2_000,
        `authorization_codes (digest, workspace_id, connection_id, person_id, redirect_uri, redirect_uri_sent, page_ids,
          takes_template, created_time, expires_time)`,
        `randomblob(32), ${WORKSPACE}, ${ID}, ${ID}, ${text(2_000)}, 1, ${text(40_000)}, 0, 1, i`,
      ),
    ],
    left: 'select 1 as one from authorization_codes where expires_time <= 2000 limit 1',
  },
  sweep_sign_ins: {
    seed: [
      `insert into accounts (id, email, created_time) values (${SHARED}, 'expired@example.com', 1)`,
      rows(10_500, 'sign_in_links (digest, account_id, expires_time)', `randomblob(32), ${SHARED}, i`),
      rows(10_500, 'browser_sessions (digest, account_id, created_time, expires_time)', `randomblob(32), ${SHARED}, 1, i`),
    ],
    left: `select 1 as one from sign_in_links where account_id = ${SHARED}
      union all select 1 from browser_sessions where account_id = ${SHARED} limit 1`,
  },
  sweep_async_tasks: {
    seed: [
      rows(
        300,
        'async_tasks (workspace_id, id, actor_id, operation, version, status, result, created_time, finished_time)',
        `${WORKSPACE}, ${ID}, ${ID}, 'createPage', '2022-06-28', 'succeeded', ${text(2_000_000)}, 1, i`,
      ),
    ],
    left: 'select 1 as one from async_tasks where finished_time <= 300 limit 1',
  },
  sweep_deleted_agents: {
    seed: [
      `insert into agents (workspace_id, id, type, name, lower_name, lower_description, model_mode, connections, server_hosts, triggers,
        created_time, last_edited_time, deleted_time) values
        (${WORKSPACE}, ${SHARED}, 'custom_agent', 'x', 'x', '', 'auto', '[]', '', ${text(1_000_000)}, 1, 1, 1)`,
      rows(
        2_000,
        'agent_versions (workspace_id, id, agent_id, number, published_time, instructions, model_mode)',
        `${WORKSPACE}, ${ID}, ${SHARED}, i, 1, ${text(100_000)}, 'auto'`,
      ),
      rows(
        10_500,
        'agent_usage (workspace_id, source_id, turn, agent_id, tokens, hundredths, completed, created_time)',
        `${WORKSPACE}, ${ID}, 1, ${SHARED}, 1, 1, 1, 1`,
      ),
      rows(10_500, 'agent_mentions (workspace_id, agent_id, place_id)', `${WORKSPACE}, ${SHARED}, ${ID}`),
    ],
    left: `select 1 as one from agents where id = ${SHARED}`,
  },
  sweep_erased_content: {
    seed: [
      `insert into erased_blocks (workspace_id, id) values (${WORKSPACE}, ${SHARED})`,
      rows(
        2_500,
        `blocks (workspace_id, id, type, parent_type, parent_id, page_id, rank, content, created_time, created_by, last_edited_time,
          last_edited_by)`,
        `${WORKSPACE}, ${ID}, 'paragraph', 'block_id', ${SHARED}, ${SHARED}, printf('a%06d', i), ${text(200_000)}, 1, ${ID}, 1, ${ID}`,
      ),
    ],
    left: `select 1 as one from erased_blocks union all select 1 from blocks where parent_id = ${SHARED} limit 1`,
  },
  sweep_view_queries: {
    seed: [
      rows(
        1_000,
        'view_queries (workspace_id, id, view_id, owner_id, total_count, is_incomplete, created_time, expires_time)',
        `${WORKSPACE}, ${ID}, ${ID}, ${SHARED}, 2000, 0, 1, i`,
      ),
      `insert into view_query_pieces (workspace_id, query_id, number, ids) select workspace_id, id, number, ${text(32_000)}
        from view_queries, (select 0 as number union all select 1) where owner_id = ${SHARED}`,
    ],
    left: `select 1 as one from view_queries where owner_id = ${SHARED} limit 1`,
  },
  sweep_file_uploads: {
    seed: [
      rows(
        210,
        `file_uploads (workspace_id, id, actor_id, actor_kind, mode, status, filename, type_is_given, parts_total, parts_sent,
          created_time, last_edited_time, expiry_due)`,
        `${WORKSPACE}, ${ID}, (select id from users where kind = 'bot' limit 1), 'bot', 'multi_part', 'pending', ${text(900)}, 0,
          1000, 1000, 1, 1, i`,
      ),
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
        insert into file_parts (workspace_id, upload_id, number, object_workspace_id, object_id, byte_length)
        select workspace_id, id, i, workspace_id, ${ID}, 5000000 from file_uploads, n where expiry_due <= 210`,
    ],
    left: 'select 1 as one from file_uploads where expiry_due <= 210 limit 1',
  },
  sweep_files: {
    seed: [rows(2_000, 'file_objects (workspace_id, id, drop_time)', `${WORKSPACE}, ${ID}, i`)],
    left: 'select 1 as one from file_objects where drop_time <= 2000 limit 1',
  },
  sweep_outbox: {
    seed: [
      rows(
        2_000,
        'outbox (workspace_id, entity_id, stream, type, time, author_id, details, listeners)',
        `${WORKSPACE}, ${ID}, 'window', 'page.content_updated', i, ${ID}, '{"blocks":[],"x":"' || ${text(40_000)} || '"}', '{}'`,
      ),
    ],
    left: 'select 1 as one from outbox where time <= 2000 limit 1',
  },
  sweep_webhook_deliveries: {
    seed: [
      rows(
        2_000,
        `webhook_deliveries (workspace_id, subscription_id, event_id, event_type, event, activation, created_time, ended_time,
          is_delivered)`,
        `${WORKSPACE}, ${ID}, ${ID}, 'page.content_updated', ${text(100_000)}, 1, 1, i, 1`,
      ),
      rows(
        WAITING_MAX + 500,
        'webhook_deliveries (workspace_id, subscription_id, event_id, event_type, event, activation, created_time, due_time)',
        `s.workspace_id, s.id, ${ID}, 'page.created', '{}', s.activation, 1, ${LATER} + i`,
      ).replace(/ from n$/, ` from n, (select * from webhook_subscriptions where status = 'active' limit 1) s`),
    ],
    left: `select 1 as one from webhook_deliveries where ended_time <= 2000
      union all select 1 from webhook_deliveries where due_time > ${LATER} + ${WAITING_MAX} limit 1`,
  },
  sweep_dead_jobs: {
    seed: [
      rows(
        1_000,
        'jobs (workspace_id, id, kind, payload, state, due_time, attempts)',
        `${WORKSPACE}, ${ID}, 'agent_change', ${text(400_000)}, 'dead', i, 5`,
      ),
    ],
    left: `select 1 as one from jobs where state = 'dead' and due_time <= 1000 limit 1`,
  },
  sweep_audit_log: {
    seed: [
      rows(
        10_500,
        'audit_log (workspace_id, created_time, action, object_name)',
        `${WORKSPACE}, i, 'createPage', ${text(2_000)}`,
      ),
    ],
    left: 'select 1 as one from audit_log where created_time <= 10500 limit 1',
  },
  sweep_agent_hours: {
    seed: [rows(10_500, 'agent_hours (workspace_id, agent_id, hour_start, hundredths)', `${WORKSPACE}, ${ID}, i, 1`)],
    left: 'select 1 as one from agent_hours where hour_start <= 10500 limit 1',
  },
}

/** Inserts the rows for a kind of sweep, and waits until they are deleted. */
export async function seedAndSweep(store: Database, kind: string): Promise<void> {
  const rowsOfKind = expiredRows[kind]
  if (!rowsOfKind) throw new Error(`no rows for ${kind}`)
  for (const statement of rowsOfKind.seed) await store.write((db) => db.run(statement))
  await until(async () => {
    // A sweep that has found nothing would wait for a minute.
    await store.write((db) => db.run(`update jobs set due_time = 1 where kind = ? and state = 'waiting' and due_time > 1`, kind))
    return (await store.read((db) => db.get({ one: 'integer' }, rowsOfKind.left))) ? undefined : true
  })
}
