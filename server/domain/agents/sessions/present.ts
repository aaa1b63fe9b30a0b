import type {
  Actor,
  AgentVersionRef,
  FilePart,
  RequiredAction,
  Session,
  SessionDetail,
  SessionError,
  SessionEvent,
  SessionModels,
  StreamedEvent,
} from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import type { EventRow } from '../../../store/session_events.ts'
import type { SessionRow } from '../../../store/sessions.ts'
import { listOpenActions } from '../../../store/session_turns.ts'
import { userDetail, type Scope } from '../../shared/index.ts'
import { findFiles, type FileFact } from '../../files/index.ts'
import { knownRows } from '../../people/index.ts'
import { parseContent, type AttachedFile } from './stored_content.ts'
import { readJson, readNullableJson } from '../../../store/stored/read_json.ts'

/** The action of a proposal, as the caller sees it. */
export function presentAction({ id, title }: { readonly id: string; readonly title: string | null }): RequiredAction {
  return {
    action_id: id,
    title: title ?? '',
    options: [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject' },
    ],
  }
}

/** A session in most responses and in streams. */
export async function presentSession({ db, actor }: Pick<Scope, 'db' | 'actor'>, row: SessionRow): Promise<Session> {
  return present(row, await openActions({ db, actor }, [row]))
}

function present(row: SessionRow, actions: ReadonlyMap<string, RequiredAction[]>): Session {
  return {
    object: 'session',
    id: row.id,
    agent_id: row.agent_id,
    title: row.title,
    status: row.status,
    created_at: toTimestamp(row.created_time),
    updated_at: toTimestamp(row.updated_time),
    ...(row.status === 'requires_action' ? { required_actions: actions.get(row.id) ?? [] } : {}),
    ...(row.error === null ? {} : { error: readJson('sessions.error', row.id, row.error) as SessionError }),
  }
}

/** The actions that wait for a decision, by session. */
async function openActions(
  { db, actor }: Pick<Scope, 'db' | 'actor'>,
  rows: readonly SessionRow[],
): Promise<Map<string, RequiredAction[]>> {
  const waiting = new Map(rows.filter(({ status }) => status === 'requires_action').map(({ id, turn }) => [id, turn]))
  const actions = new Map<string, RequiredAction[]>()
  if (waiting.size === 0) return actions
  for (const action of await listOpenActions(db, actor.workspaceId, [...waiting.keys()])) {
    if (waiting.get(action.session_id) !== action.turn) continue
    actions.set(action.session_id, [...(actions.get(action.session_id) ?? []), presentAction(action)])
  }
  return actions
}

/** Sessions with all details. @param mayEdit whether the caller may edit the agent of a session */
export async function presentDetails(
  scope: Scope,
  rows: readonly SessionRow[],
  mayEdit: (row: SessionRow) => boolean,
): Promise<SessionDetail[]> {
  const actions = await openActions(scope, rows)
  const mayReadEmails = userDetail(scope.actor) === 'with_email'
  const writers = new Set(mayReadEmails ? rows.filter(mayEdit).flatMap(writersOf) : [])
  const people = await knownRows(scope, [...writers])
  const emails = new Map(people.flatMap(({ id, email }) => (email === null ? [] : [[id, email]])))
  return rows.map((row) => ({
    ...present(row, actions),
    created_by: { type: row.creator_kind, id: row.creator_id },
    agent_version: readNullableJson('sessions.agent_version', row.id, row.agent_version) as AgentVersionRef | null,
    models: readJson('sessions.models', row.id, row.models) as SessionModels,
    trigger_type: row.trigger_type,
    ...(mayEdit(row) ? sums(row, mayReadEmails ? emails : undefined) : HIDDEN),
  }))
}

const HIDDEN = {
  type_labels: null,
  chat_user_emails: null,
  tool_types: null,
  tool_call_count: null,
  credits_used: null,
  runs_completed: null,
  message_count: null,
} as const

/**
 * The totals of a session.
 * @param emails the addresses of users, by id; undefined if the caller may not read them
 */
function sums(row: SessionRow, emails: ReadonlyMap<string, string> | undefined): Partial<SessionDetail> {
  return {
    type_labels: [row.type_label],
    chat_user_emails: emails === undefined ? null : writersOf(row).flatMap((id) => emails.get(id) ?? []),
    tool_types: readJson('sessions.tool_types', row.id, row.tool_types) as string[],
    tool_call_count: row.tool_call_count,
    credits_used: row.credits_used,
    runs_completed: row.runs_completed,
    message_count: row.message_count,
  }
}

function writersOf({ id, writers }: SessionRow): string[] {
  return readJson('sessions.writers', id, writers) as string[]
}

function baseOf(row: EventRow): Pick<SessionEvent, 'object' | 'id' | 'session_id' | 'sequence' | 'created_at'> {
  return {
    object: 'session_event',
    id: row.id,
    session_id: row.session_id,
    sequence: row.sequence,
    created_at: toTimestamp(row.created_time),
  }
}

/** An event in streams; undefined for one that streams do not contain. */
export function presentStreamed(row: EventRow): StreamedEvent | undefined {
  const { type, content } = parseContent(row)
  const base = baseOf(row)
  switch (type) {
    case 'user.message': {
      const files = content.files.map(({ id }) => ({ type: 'file' as const, file_id: id }))
      const metadata = content.metadata === null ? {} : { metadata: content.metadata }
      return { ...base, type, content: [{ type: 'text', text: content.text }, ...files], ...metadata }
    }
    case 'agent.message':
      return { ...base, type, content: [{ type: 'text', text: content.text }] }
    case 'agent.thinking':
      return undefined
    case 'agent.tool_use':
      return { ...base, type, tool_name: content.tool }
    case 'agent.tool_result':
      return { ...base, type, tool_use_id: content.useId, tool_name: content.tool, is_error: content.isError }
    case 'session.status':
      return { ...base, type, ...content }
  }
}

/** Events in queries. Their files have links that are valid for a short time. */
export async function presentListed(scope: Scope, rows: readonly EventRow[]): Promise<SessionEvent[]> {
  const ids = new Set(rows.flatMap((row) => filesOf(row).map(({ id }) => id)))
  const files = ids.size === 0 ? new Map<string, FileFact>() : await findFiles(scope, ids)
  return rows.map((row) => listed(row, files))
}

function filesOf(row: EventRow): readonly AttachedFile[] {
  const { type, content } = parseContent(row)
  return type === 'user.message' ? content.files : []
}

function listed(row: EventRow, files: ReadonlyMap<string, FileFact>): SessionEvent {
  const { type, content } = parseContent(row)
  const base = baseOf(row)
  switch (type) {
    case 'user.message': {
      const parts = content.files.map((file) => filePart(file, files))
      const { author: created_by, metadata } = content
      return { ...base, type, content: [{ type: 'text', text: content.text }, ...parts], created_by, metadata }
    }
    case 'agent.message':
      return {
        ...base,
        type,
        content: [{ type: 'text', text: content.text }],
        created_by: content.author,
        metadata: content.model === null ? null : { model: content.model },
      }
    case 'agent.thinking':
      return { ...base, type, content: [{ type: 'text', text: content.text }] }
    case 'agent.tool_use':
      return { ...base, type, tool_name: content.tool }
    case 'agent.tool_result':
      return { ...base, type, tool_use_id: content.useId, tool_name: content.tool, is_error: content.isError }
    case 'session.status': {
      const { status, required_actions, error } = content
      if (status === 'queued' || status === 'in_progress') throw new Error(`event ${row.id} is for streams only`)
      return { ...base, type, status, ...(required_actions && { required_actions }), ...(error && { error }) }
    }
  }
}

function filePart({ id, name }: AttachedFile, files: ReadonlyMap<string, FileFact>): FilePart {
  const fact = files.get(id)
  // Files in stored content are never deleted.
  if (!fact) throw new Error(`file ${id} is missing`)
  return {
    type: 'file',
    name: name ?? fact.name,
    content_type: fact.contentType,
    url: fact.link.url,
    expiry_time: fact.link.expiry_time,
  }
}

export function actorRef({ userId, tokenKind }: { readonly userId: string; readonly tokenKind: string }): Actor {
  return { type: tokenKind === 'personal' ? 'user' : 'bot', id: userId }
}
