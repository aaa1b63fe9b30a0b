import { ServiceError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { findBlock, type Block } from '../../../store/blocks.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import { eraseBelow } from '../../../store/erased_blocks.ts'
import { findUpload, type UploadRow } from '../../../store/file_uploads.ts'
import { listParts } from '../../../store/file_parts.ts'
import { id as idForm, object } from '../../../store/stored/form.ts'
import { findRecording, setUnfinishedTranscript, type RecordingRow } from '../../../store/meeting_notes.ts'
import { hasRoom } from '../../../store/usage.ts'
import { hasWorkspaceCredits, recordUsage } from '../credits.ts'
import { transcriptTypeOf, type FileVault } from '../../files/index.ts'
import { enqueue, whileExtending, type Attempt, type Job, type JobKind, type JobDeps } from '../../shared/index.ts'
import { noteContent, type NoteContent } from '../../content/index.ts'
import type { Conversation, Media, NoteTools, Summary } from './media.ts'
import {
  addSection,
  addToTranscript,
  changeNote,
  summaryBlocks,
  summaryNotice,
  transcriptPortions,
  type NoteKey,
} from './sections.ts'
import { parseTranscript } from './transcripts/parse_transcript.ts'
import { TranscriptionError, TRANSCRIPT_BYTES_MAX, type SpokenSegment } from './transcripts/segment.ts'

export interface NoteDeps extends Pick<JobDeps, 'database' | 'now'> {
  readonly vault: FileVault
  /** The tools that turn recordings into meeting notes. */
  readonly meetingNotes: NoteTools
}

export const NOTE_KIND = 'meeting note'
export const notePayloadForm = object({ id: idForm })
const LEASE_MS = 120_000
const SEGMENTS_AT_ONCE = 250
/** Characters that one transaction stores. */
const LENGTH_AT_ONCE = 200_000

/** Enqueues the processing of a new note. */
export async function enqueueNote(db: Transaction, { workspaceId, id }: NoteKey, now: number): Promise<void> {
  await enqueue(db, { kind: NOTE_KIND, workspaceId, key: id, payload: { id }, dueTime: now })
}

/**
 * The kind of jobs that create transcripts and summaries. After each step the state of the note tells which step is next, so that any
 * process can continue.
 */
export function noteKind(deps: NoteDeps): JobKind {
  return {
    name: NOTE_KIND,
    pauses: [2_000, 8_000, 32_000],
    leaseMilliseconds: LEASE_MS,
    atOnce: 2,
    run: (job, attempt) => processWithinQuota(deps, noteOf(job), attempt),
    died: (db, job) => giveUp(db, noteOf(job), deps.now()),
  }
}

function noteOf({ workspaceId, payload }: Job): NoteKey {
  return { workspaceId: workspaceId ?? '', id: (payload as { readonly id: string }).id }
}

/** Processes a note. Gives up if the workspace is full: another attempt would fail as well. */
async function processWithinQuota(deps: NoteDeps, note: NoteKey, attempt: Attempt): Promise<void> {
  try {
    await processNote(deps, note, attempt)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'row_limit_exceeded') throw error
    await attempt.finish((db) => giveUp(db, note, deps.now()))
  }
}

async function processNote(deps: NoteDeps, note: NoteKey, attempt: Attempt): Promise<void> {
  const found = await deps.database.read((db) => findNote(db, note))
  // The note was deleted with its page.
  if (!found) return
  const work = new NoteWork(deps, note, found, attempt)
  switch (noteContent(found.block.content).status) {
    case 'transcription_not_started':
    case 'transcription_in_progress':
      return work.transcribe()
    case 'summary_in_progress':
      return work.summarize()
    case 'transcription_paused':
    case 'transcription_failed':
    case 'notes_ready':
  }
}

interface Found {
  readonly block: Block
  readonly recording: RecordingRow
  readonly upload: UploadRow
}

async function findNote(db: Connection, { workspaceId, id }: NoteKey): Promise<Found | undefined> {
  const [block, recording] = [await findBlock(db, workspaceId, id), await findRecording(db, workspaceId, id)]
  const upload = recording && (await findUpload(db, workspaceId, recording.upload_id ?? id))
  return block && upload && { block, recording, upload }
}

class NoteWork {
  readonly #deps: NoteDeps
  readonly #note: NoteKey
  readonly #found: Found
  readonly #attempt: Attempt

  constructor(deps: NoteDeps, note: NoteKey, found: Found, attempt: Attempt) {
    this.#deps = deps
    this.#note = note
    this.#found = found
    this.#attempt = attempt
  }

  /** Stores the transcript in portions, invisibly, and shows it at the end. */
  async transcribe(): Promise<void> {
    const transcriptId = newId()
    const isOurs = await this.#attempt.whileHeld(async (db) => {
      // Left by an earlier attempt.
      await dropUnfinished(db, this.#note)
      await setUnfinishedTranscript(db, this.#note.workspaceId, this.#note.id, transcriptId)
      await this.#change(db, async () => ({ status: 'transcription_in_progress' }))
    })
    if (!isOurs) return
    let segments: readonly SpokenSegment[]
    try {
      segments = await whileExtending(this.#attempt, LEASE_MS, () => this.#segments())
    } catch (error) {
      if (!(error instanceof TranscriptionError)) throw error
      await this.#attempt.finish((db) => giveUp(db, this.#note, this.#deps.now()))
      return
    }
    if (!(await this.#store(transcriptId, segments))) return
    const show = (status: NoteContent['status']) => (db: Transaction) => this.#show(db, transcriptId, segments, status)
    if (this.#found.recording.is_summarised) await this.#attempt.continueAt(this.#deps.now(), show('summary_in_progress'))
    else await this.#attempt.finish(show('notes_ready'))
  }

  async summarize(): Promise<void> {
    const { database, now } = this.#deps
    const { workspaceId, id } = this.#note
    if (!(await database.read((db) => hasWorkspaceCredits(db, workspaceId, now())))) {
      await this.#attempt.finish(async (db) => {
        await this.#change(db, async () => ({ status: 'notes_ready' }))
      })
      return
    }
    const summary = await whileExtending(this.#attempt, LEASE_MS, () => this.#summary())
    await this.#attempt.finish(async (db) => {
      await showSummary(db, this.#note, now(), summaryBlocks(summary))
      const { tokens } = summary
      await recordUsage(db, { workspaceId, agentId: null, sessionId: id, turn: 1, tokens, completed: true, now: now() })
    })
  }

  #segments(): Promise<readonly SpokenSegment[]> {
    const { transcriber } = this.#deps.meetingNotes
    const media = this.#media()
    const type = transcriptTypeOf(media.contentType)
    if (type !== undefined) return parseTranscript(type, media.bytes())
    if (!transcriber) throw new TranscriptionError('no transcription service is configured')
    return transcriber.transcribe(media, this.#attempt.signal)
  }

  #media(): Media {
    const { upload } = this.#found
    const { database, vault } = this.#deps
    const { workspaceId } = this.#note
    return {
      contentType: upload.content_type ?? 'application/octet-stream',
      byteLength: upload.content_length ?? 0,
      language: this.#language,
      async *bytes() {
        const stored = await database.read((db) => listParts(db, workspaceId, upload.id))
        yield* vault.read(stored, 0, Number.MAX_SAFE_INTEGER)
      },
    }
  }

  get #language(): string | undefined {
    const { language } = this.#found.recording
    return language === null || language === 'auto' ? undefined : language
  }

  /** @returns false if the note was deleted, or is processed elsewhere */
  async #store(transcriptId: string, segments: readonly SpokenSegment[]): Promise<boolean> {
    let lastRank: string | null = null
    let isThere = true
    for (const portion of portionsOf(segments)) {
      const isOurs = await this.#attempt.whileHeld(async (db) => {
        const { block } = this.#found
        const { workspaceId, id } = this.#note
        isThere = (await findRecording(db, workspaceId, id)) !== undefined
        if (!isThere) return eraseBelow(db, workspaceId, transcriptId)
        const scope = { db, now: this.#deps.now(), actor: { workspaceId, userId: block.createdBy } }
        lastRank = await addToTranscript(scope, block, transcriptId, portion, lastRank)
      })
      if (!isOurs || !isThere) return false
    }
    return true
  }

  async #show(
    db: Transaction,
    transcriptId: string,
    segments: readonly SpokenSegment[],
    status: NoteContent['status'],
  ): Promise<void> {
    const isThere = await this.#change(db, async (block, _content, scope) => {
      const notes_block_id = await addSection(scope, block, 'Notes')
      const transcript_block_id = await addSection(scope, block, 'Transcript', { id: transcriptId })
      const recording = recordingOf(this.#found.upload, segments)
      return { status, children: { notes_block_id, transcript_block_id }, ...(recording === undefined ? {} : { recording }) }
    })
    if (isThere) await setUnfinishedTranscript(db, this.#note.workspaceId, this.#note.id, null)
    else await eraseBelow(db, this.#note.workspaceId, transcriptId)
  }

  async #summary(): Promise<Summary> {
    const { database, meetingNotes } = this.#deps
    const { title, children } = noteContent(this.#found.block.content)
    const segments: Conversation['segments'][number][] = []
    const portions = transcriptPortions(database.read, this.#note.workspaceId, children?.transcript_block_id ?? '')
    let length = 0
    for await (const portion of portions) {
      segments.push(...portion)
      length += portion.reduce((sum, { text }) => sum + text.length, 0)
      // People may have added more than any transcript holds.
      if (length > TRANSCRIPT_BYTES_MAX) break
    }
    const words = title.map((item) => (item.type === 'text' ? item.text.content : '')).join('')
    return meetingNotes.summarizer.summarize({ title: words, language: this.#language, segments }, this.#attempt.signal)
  }

  #change(db: Transaction, change: Parameters<typeof changeNote>[3]): Promise<boolean> {
    return changeNote(db, this.#note, this.#deps.now(), change)
  }
}

async function showSummary(db: Transaction, note: NoteKey, now: number, blocks: ReturnType<typeof summaryBlocks>): Promise<void> {
  await changeNote(db, note, now, async (block, { children }, scope) => {
    const summary_block_id = await addSection(scope, block, 'Summary', { children: blocks })
    return { status: 'notes_ready', children: { summary_block_id, ...children } }
  })
}

/** Ends the processing of a note after the last attempt. Says so in the note if the workspace has room for it. */
async function giveUp(db: Transaction, note: NoteKey, now: number): Promise<void> {
  await dropUnfinished(db, note)
  const block = await findBlock(db, note.workspaceId, note.id)
  if (block === undefined) return
  if (noteContent(block.content).status === 'summary_in_progress') {
    const notice = summaryNotice('The transcription service could not make the summary.')
    if (await hasRoom(db, note.workspaceId, 'blocks', notice.length + 1)) await showSummary(db, note, now, notice)
    else await changeNote(db, note, now, async () => ({ status: 'notes_ready' }))
  } else await changeNote(db, note, now, async () => ({ status: 'transcription_failed' }))
}

async function dropUnfinished(db: Transaction, { workspaceId, id }: NoteKey): Promise<void> {
  const unfinished = (await findRecording(db, workspaceId, id))?.transcript_id
  if (unfinished == null) return
  await eraseBelow(db, workspaceId, unfinished)
  await setUnfinishedTranscript(db, workspaceId, id, null)
}

/** Portions of segments, each small enough for one transaction. */
function* portionsOf(segments: readonly SpokenSegment[]): Generator<readonly SpokenSegment[]> {
  let [start, length] = [0, 0]
  for (const [index, { text }] of segments.entries()) {
    if (index - start === SEGMENTS_AT_ONCE || length >= LENGTH_AT_ONCE) {
      yield segments.slice(start, index)
      ;[start, length] = [index, 0]
    }
    length += text.length
  }
  if (start < segments.length) yield segments.slice(start)
}

/** The time of the recording, if the transcript has times. It is assumed to end at the time of the upload. */
function recordingOf(upload: UploadRow, segments: readonly SpokenSegment[]): NoteContent['recording'] {
  const ends = segments.flatMap(({ end }) => end ?? [])
  if (ends.length === 0) return undefined
  const end = ends.reduce((last, other) => Math.max(last, other), 0)
  const endTime = upload.last_edited_time
  return { start_time: toTimestamp(endTime - Math.round(end * 1000)), end_time: toTimestamp(endTime) }
}
