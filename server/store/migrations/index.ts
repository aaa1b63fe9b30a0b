import { agentOrders } from './agent_orders.ts'
import { agents } from './agents.ts'
import { agentRuns } from './agent_runs.ts'
import { agentTriggers } from './agent_triggers.ts'
import { auditLog } from './audit_log.ts'
import { decisionsWithoutToken } from './decisions_without_token.ts'
import { distributableTables } from './distributable_tables.ts'
import { auditLogOfWrites } from './audit_log_of_writes.ts'
import { eventIndexes } from './event_indexes.ts'
import { idsAsBytes } from './ids_as_bytes.ts'
import { jobInterruptions } from './job_interruptions.ts'
import { jobs } from './jobs.ts'
import { limiterColumns } from './limiter_columns.ts'
import { meetingNoteTables } from './meeting_notes.ts'
import { keyHolders } from './key_holders.ts'
import type { Migration } from './migration.ts'
import { noteOrders } from './note_orders.ts'
import { notesOfPage } from './notes_of_page.ts'
import { openingSchema } from './opening_schema.ts'
import { outbox } from './outbox.ts'
import { refusedRequests } from './refused_requests.ts'
import { sessions } from './sessions.ts'
import { smallerIndexes } from './smaller_indexes.ts'
import { titleKey } from './title_key.ts'
import { titleWords } from './title_words.ts'
import { webhooks } from './webhooks.ts'
import { workspaceUsage } from './workspace_usage.ts'

const beforeIdsAsBytes: readonly Migration[] = [
  openingSchema,
  titleKey,
  jobs,
  agents,
  sessions,
  meetingNoteTables,
  outbox,
  webhooks,
  eventIndexes,
  notesOfPage,
  agentTriggers,
  agentOrders,
  noteOrders,
  agentRuns,
]

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [
  ...beforeIdsAsBytes,
  idsAsBytes(beforeIdsAsBytes),
  smallerIndexes,
  keyHolders,
  refusedRequests,
  workspaceUsage,
  jobInterruptions,
  titleWords,
  limiterColumns,
  auditLog,
  decisionsWithoutToken,
  auditLogOfWrites,
  distributableTables,
]
