import type { Connection } from '../../store/database.ts'
import { listEventsAfter, listMessages, type EventRow } from '../../store/session_events.ts'
import type { CallRow, TurnRow } from '../../store/session_turns.ts'
import { findUploads } from '../../store/file_uploads.ts'
import type { Agent } from '../agents/agent.ts'
import type { RunInput, RunMessage, SettledCall, ToolResult } from '../agents/runtime.ts'
import { findDownload } from '../file_uploads/download.ts'
import type { FileVault } from '../file_uploads/vault.ts'
import type { Scope } from '../scope.ts'
import { instructionsOf, type AgentSnapshot } from './agents.ts'
import { parseContent, type AttachedFile, type StoredContents } from './stored_content.ts'
import type { TurnParts } from './turn_parts.ts'
import type { RunKey } from './turn_step.ts'
import { readJson } from '../../store/stored/read_json.ts'

const HISTORY_MAX = 200
const EVENTS_OF_RUN_MAX = 1_000
const ATTACHMENT_BYTES_MAX = 262_144
const BUDGET = { tokens: 100_000, steps: 12 } as const

/** The start of a run. */
interface RunStart {
  readonly scope: Scope
  readonly agent: Agent
  readonly turn: TurnRow
  readonly calls: readonly CallRow[]
  readonly model: string
}

/** The input of a run, with current data. */
export async function runInput(parts: TurnParts, key: RunKey, { scope, agent, turn, calls, model }: RunStart): Promise<RunInput> {
  const { database, tools, vault } = parts
  const { workspaceId, sessionId } = key
  const messages = await database.read((db) => listMessages(db, workspaceId, sessionId, HISTORY_MAX))
  const own = messages.find((row) => row.turn === key.turn && row.type === 'user.message')
  if (!own) throw new Error(`turn ${key.turn} of session ${sessionId} has no message`)
  const snapshot = readJson('session_turns.agent', sessionId, turn.agent) as AgentSnapshot
  return database.read(async (db) => {
    const reading = { ...scope, db }
    return {
      sessionId,
      turn: key.turn,
      model,
      agent: { name: snapshot.name, instructions: await instructionsOf(reading, snapshot) },
      history: messages
        .filter((row) => row.turn < key.turn)
        .reverse()
        .map((row) => ({ role: row.type === 'user.message' ? 'user' : 'agent', text: textOf(row) })),
      message: await messageOf({ db, vault, workspaceId }, own, turn),
      settled: settledCalls(calls),
      tools: tools.toolsFor(reading, agent),
      budget: BUDGET,
      defaultParent: await tools.defaultParentOf(reading, agent),
    }
  })
}

/** What a previous attempt of this run has committed: the runtime may produce it once more. */
export async function committedBefore(db: Connection, key: RunKey, turn: TurnRow): Promise<EventRow[]> {
  const rows = await listEventsAfter(db, key.workspaceId, key.sessionId, turn.run_sequence, EVENTS_OF_RUN_MAX)
  return rows.filter(({ type }) => type === 'agent.thinking' || type === 'agent.message')
}

export function textOf(row: EventRow): string {
  const { content } = parseContent(row)
  return 'text' in content ? content.text : ''
}

function settledCalls(calls: readonly CallRow[]): SettledCall[] {
  return calls.flatMap((call) => {
    if (call.result === null) return []
    return [
      {
        callId: call.call_id,
        tool: call.tool,
        arguments: readJson('session_calls.arguments', call.id, call.arguments) as Record<string, unknown>,
        kind: call.kind,
        decision: call.decision ?? undefined,
        result: readJson('session_calls.result', call.id, call.result) as ToolResult,
      },
    ]
  })
}

interface FileReading {
  readonly db: Connection
  readonly vault: FileVault
  readonly workspaceId: string
}

async function messageOf(reading: FileReading, row: EventRow, turn: TurnRow): Promise<RunMessage> {
  const { text, files } = parseContent(row).content as StoredContents['user.message']
  const attachments: RunMessage['attachments'][number][] = []
  for (const file of files) attachments.push(await attachmentOf(reading, file))
  const { subject } = readJson('session_turns.agent', row.session_id, turn.agent) as AgentSnapshot
  return { text, promptContext: turn.prompt_context ?? undefined, attachments, ...(subject === undefined ? {} : { subject }) }
}

async function attachmentOf(
  { db, vault, workspaceId }: FileReading,
  { id, name }: AttachedFile,
): Promise<RunMessage['attachments'][number]> {
  const upload = (await findUploads(db, workspaceId, [id])).get(id)
  const contentType = upload?.content_type ?? 'application/octet-stream'
  const about = { name: name ?? upload?.filename ?? 'file', contentType }
  const file = isText(contentType) ? await findDownload(db, { workspaceId, id }) : undefined
  if (!file) return { ...about, text: undefined }
  const chunks = await Array.fromAsync(vault.read(file.parts, 0, Math.min(file.byteLength, ATTACHMENT_BYTES_MAX) - 1))
  return { ...about, text: new TextDecoder().decode(Buffer.concat(chunks)) }
}

function isText(contentType: string): boolean {
  return contentType.startsWith('text/') || contentType === 'application/json'
}
