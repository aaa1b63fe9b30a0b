import type { Connection } from '../../../store/database.ts'
import { listEventsAfter, listMessages, type EventRow } from '../../../store/session_events.ts'
import type { CallRow, TurnRow } from '../../../store/session_turns.ts'
import { findUploads } from '../../../store/file_uploads.ts'
import type { Agent } from '../agent.ts'
import type { RunInput, RunMessage, SettledCall, ToolResult } from '../runtime.ts'
import { findDownload, type FileVault } from '../../files/index.ts'
import type { Scope } from '../../shared/index.ts'
import { instructionsOf, type AgentSnapshot } from './agents.ts'
import { parseContent, type AttachedFile, type StoredContents } from './stored_content.ts'
import type { TurnDeps } from './turn_deps.ts'
import type { RunKey } from './turn_step.ts'
import { readJson } from '../../../store/stored/read_json.ts'

const HISTORY_MAX = 200
/**
 * The maximum number of characters of the history. It is low because many runs keep their history in memory at the same time; a run's token
 * budget allows about as much.
 */
const HISTORY_LENGTH_MAX = 400_000
const EVENTS_OF_RUN_MAX = 1_000
const ATTACHMENT_BYTES_MAX = 262_144
/** The maximum number of bytes that are read of all attachments of a message together. */
const ATTACHMENTS_BYTES_MAX = 524_288
const BUDGET = { tokens: 100_000, steps: 12 } as const

interface RunStart {
  readonly scope: Scope
  readonly agent: Agent
  readonly turn: TurnRow
  readonly calls: readonly CallRow[]
  readonly model: string
}

/** The input of a run, from current data. */
export async function runInput(deps: TurnDeps, key: RunKey, { scope, agent, turn, calls, model }: RunStart): Promise<RunInput> {
  const { database, tools, vault } = deps
  const { workspaceId, sessionId } = key
  const messages = await database.read((db) => listMessages(db, workspaceId, sessionId, HISTORY_MAX))
  const own = messages.find((row) => row.turn === key.turn && row.type === 'user.message')
  if (!own) throw new Error(`turn ${key.turn} of session ${sessionId} has no message`)
  const snapshot = readJson('session_turns.agent', sessionId, turn.agent) as AgentSnapshot
  return database.read(async (db) => {
    const reading = { ...scope, db }
    return {
      workspaceId,
      agentId: agent.id,
      sessionId,
      turn: key.turn,
      model,
      agent: { name: snapshot.name, instructions: await instructionsOf(reading, snapshot) },
      history: historyOf(messages.filter((row) => row.turn < key.turn)),
      message: await messageOf({ db, vault, workspaceId }, own, turn),
      settled: settledCalls(calls),
      tools: tools.toolsFor(reading, agent),
      budget: BUDGET,
      defaultParent: await tools.defaultParentOf(reading, agent),
    }
  })
}

/**
 * The latest messages, as many as fit.
 * @param rows latest first
 */
function historyOf(rows: readonly EventRow[]): RunInput['history'] {
  const history: RunInput['history'][number][] = []
  let remaining = HISTORY_LENGTH_MAX
  for (const row of rows) {
    const text = textOf(row)
    remaining -= text.length
    if (remaining < 0) break
    history.push({ role: row.type === 'user.message' ? 'user' : 'agent', text })
  }
  return history.reverse()
}

/** Texts that a previous attempt of this run has committed: the runtime may produce them once more. */
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
  let bytesLeft = ATTACHMENTS_BYTES_MAX
  for (const file of files) {
    const { bytes, ...attachment } = await attachmentOf(reading, file, Math.min(bytesLeft, ATTACHMENT_BYTES_MAX))
    attachments.push(attachment)
    bytesLeft -= bytes
  }
  const { subject } = readJson('session_turns.agent', row.session_id, turn.agent) as AgentSnapshot
  return { text, promptContext: turn.prompt_context ?? undefined, attachments, ...(subject === undefined ? {} : { subject }) }
}

/**
 * @param bytesMax the maximum number of bytes to read; of a larger file, the runtime gets only the name
 * @returns the attachment and the number of bytes read
 */
async function attachmentOf(
  { db, vault, workspaceId }: FileReading,
  { id, name }: AttachedFile,
  bytesMax: number,
): Promise<RunMessage['attachments'][number] & { readonly bytes: number }> {
  const upload = (await findUploads(db, workspaceId, [id])).get(id)
  const contentType = upload?.content_type ?? 'application/octet-stream'
  const about = { name: name ?? upload?.filename ?? 'file', contentType }
  const file = isText(contentType) && bytesMax > 0 ? await findDownload(db, { workspaceId, id }) : undefined
  if (!file) return { ...about, text: undefined, bytes: 0 }
  const bytes = Math.min(file.byteLength, bytesMax)
  const chunks = await Array.fromAsync(vault.read(file.parts, 0, bytes - 1))
  return { ...about, text: new TextDecoder().decode(Buffer.concat(chunks)), bytes }
}

function isText(contentType: string): boolean {
  return contentType.startsWith('text/') || contentType === 'application/json'
}
