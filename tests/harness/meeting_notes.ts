import { expect } from 'vitest'
import type { Caller } from './caller.ts'
import { children, plainTexts } from './content.ts'
import { upload } from './files.ts'
import { at, idOf, type JsonObject } from './json.ts'

/** A recording of a meeting. */
export interface Recording {
  readonly content: string | Buffer
  readonly filename: string
  readonly type?: string
}

export const plain = (content: string): Recording => ({ content, filename: 'talk.txt' })
export const vtt = (content: string): Recording => ({ content, filename: 'talk.vtt' })
export const json = (content: unknown): Recording => ({ content: JSON.stringify(content), filename: 'talk.json' })

/**
 * Creates a note at the end of a page.
 * @returns the block from the response
 */
export async function makeNote(caller: Caller, page: string, recording: Recording, more: object = {}): Promise<JsonObject> {
  const id = await upload(caller, recording.content, recording.filename, recording.type)
  const source = { type: 'file_upload', file_upload_id: id }
  const response = await caller.call('createMeetingNotes', {
    body: { source, parent: { type: 'page_id', page_id: page }, ...more },
  })
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

export async function retrieve(caller: Caller, id: string): Promise<JsonObject> {
  return (await caller.call('retrieveBlock', { path: { block_id: id } })).body
}

/** The note once it has been processed. @param onLook called before each poll, to advance a clock */
export async function settledNote(caller: Caller, id: string, onLook: () => void = () => undefined): Promise<JsonObject> {
  let note: JsonObject = {}
  await expect
    .poll(async () => {
      onLook()
      note = await retrieve(caller, id)
      return at(note, 'meeting_notes', 'status')
    })
    .toMatch(/^(?:notes_ready|transcription_failed)$/)
  return note
}

/** Like `makeNote`, once the note has been processed. */
export async function makeSettledNote(
  caller: Caller,
  page: string,
  recording: Recording,
  more: object = {},
): Promise<JsonObject> {
  return settledNote(caller, idOf(await makeNote(caller, page, recording, more)))
}

type Section = 'summary' | 'notes' | 'transcript'

export function sectionId(note: JsonObject, section: Section): string {
  return String(at(note, 'meeting_notes', 'children', `${section}_block_id`))
}

/** The texts of the blocks below a section. */
export async function textsOf(caller: Caller, note: JsonObject, section: Section): Promise<string[]> {
  return plainTexts(await children(caller, sectionId(note, section)))
}
