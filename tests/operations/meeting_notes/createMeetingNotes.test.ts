import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeConnection } from '../../harness/connections.ts'
import { append, appendOne, block, children, makePage, paragraph, readText } from '../../harness/content.ts'
import { expectError } from '../../harness/expectations.ts'
import { upload } from '../../harness/files.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { makeNote, makeSettledNote, plain, retrieve, sectionId, settledNote, textsOf, vtt } from '../../harness/meeting_notes.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)

const talk = plain('Ines: We will launch at noon.')
const ofUpload = (id: string, to = page): object => ({
  source: { type: 'file_upload', file_upload_id: id },
  parent: { type: 'page_id', page_id: to },
})
const ofBlock = (id: string): object => ({ source: { type: 'block', block_id: id } })
const create = (body: object, headers: Record<string, string> = {}): ReturnType<typeof server.owner.call> =>
  server.owner.call('createMeetingNotes', { body, headers })
const titleOf = (note: JsonObject): unknown => at(note, 'meeting_notes', 'title', 0, 'plain_text')
const statusOf = (note: JsonObject): unknown => at(note, 'meeting_notes', 'status')
const idsOn = async (parent: string): Promise<string[]> => (await children(server.owner, parent)).map(idOf)

describe('createMeetingNotes', () => {
  it('200 with the note before its source is processed', async () => {
    const note = await makeNote(server.owner, page, talk, { title: 'Planning call', language: 'en' })
    expect(note).toMatchObject({
      object: 'block',
      type: 'meeting_notes',
      parent: { type: 'page_id', page_id: page },
      has_children: false,
      in_trash: false,
    })
    expect(note['meeting_notes']).toStrictEqual({ title: [readText('Planning call')], status: 'transcription_not_started' })
  })

  it('200 with the note of an upload as the last block of the page', async () => {
    const own = await makePage(server.owner, 'Launch', undefined, [paragraph('first'), paragraph('second')])
    const note = await makeNote(server.owner, own, talk)
    expect((await idsOn(own)).slice(2)).toStrictEqual([idOf(note)])
  })

  it.each(['audio', 'video', 'file'])('200 with the note inserted right after its %s block, which is kept', async (type) => {
    const [file, mime] = type === 'file' ? ['talk.vtt', 'text/vtt'] : ['talk.mp4', `${type}/mp4`]
    const id = await upload(server.owner, type === 'file' ? 'WEBVTT\n\n00:00.000 --> 00:02.000\nFine.' : '', file, mime)
    const own = await makePage(server.owner)
    const [source, behind] = await append(server.owner, own, [{ [type]: { file_upload: { id } } }, paragraph('behind')])
    const { status, body } = await create(ofBlock(idOf(source)))
    expect(status).toBe(200)
    expect(titleOf(body)).toBe('talk')
    expect(await idsOn(own)).toStrictEqual([idOf(source), idOf(body), idOf(behind)])
    expect((await retrieve(server.owner, idOf(source)))['type']).toBe(type)
  })

  it('200 with the note of a nested block as its sibling, and both marked as edited', async () => {
    const id = await upload(server.owner, 'Fine.', 'talk.txt')
    const own = await makePage(server.owner)
    const toggle = await appendOne(
      server.owner,
      own,
      block('toggle', 'Recordings', { children: [{ file: { file_upload: { id } } }] }),
    )
    const [source] = await children(server.owner, toggle)
    server.clock.advance(60_000)
    const { body } = await create(ofBlock(idOf(source)))
    expect(body['parent']).toStrictEqual({ type: 'block_id', block_id: toggle })
    expect((await retrieve(server.owner, toggle))['last_edited_time']).toBe(body['created_time'])
    const around = await server.owner.call('retrievePage', { path: { page_id: own } })
    expect(around.body['last_edited_time']).toBe(body['created_time'])
  })

  it.each([
    ['launch speech.final.txt', 'launch speech.final'],
    ['.txt', '.txt'],
  ])('200 for the file %s with the title %s when none is sent', async (filename, title) => {
    expect(titleOf(await makeNote(server.owner, page, { content: 'Fine.', filename }))).toBe(title)
  })

  it('200 with the name of the file block as the title', async () => {
    const id = await upload(server.owner, 'Fine.', 'a7f3.txt')
    const source = await appendOne(server.owner, page, { file: { file_upload: { id }, name: 'Crew talk.txt' } })
    expect(titleOf((await create(ofBlock(source))).body)).toBe('Crew talk')
  })

  it('200 after which the upload no longer expires, and may be used again', async () => {
    const id = await upload(server.owner, 'Fine.', 'talk.txt')
    expect((await create(ofUpload(id))).status).toBe(200)
    server.clock.advance(2 * 3_600_000)
    const { body } = await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })
    expect(body).toMatchObject({ status: 'uploaded', expiry_time: null })
    expect((await create(ofUpload(id))).status).toBe(200)
  })

  it('200 with two notes for equal requests, or one with an idempotency key', async () => {
    const own = await makePage(server.owner)
    const id = await upload(server.owner, 'Fine.', 'talk.txt')
    await create(ofUpload(id, own))
    await create(ofUpload(id, own))
    expect(await idsOn(own)).toHaveLength(2)
    const headers = { 'Idempotency-Key': randomUUID() }
    const [first, second] = [await create(ofUpload(id, own), headers), await create(ofUpload(id, own), headers)]
    expect(second.body).toStrictEqual(first.body)
    expect(await idsOn(own)).toHaveLength(3)
    expectError(await create({ ...ofUpload(id, own), title: 'Other' }, headers), 409, 'idempotency_key_reused')
  })

  it('200 with the sections of a finished note in order, as toggles, last edited by its creator', async () => {
    const note = await makeNote(server.owner, page, talk)
    server.clock.advance(1_000)
    const ready = await settledNote(server.owner, idOf(note))
    const sections = await children(server.owner, idOf(note))
    expect(sections.map(({ type, toggle }) => [type, at(toggle, 'rich_text', 0, 'plain_text')])).toStrictEqual([
      ['toggle', 'Summary'],
      ['toggle', 'Notes'],
      ['toggle', 'Transcript'],
    ])
    expect(sections.map(idOf)).toStrictEqual((['summary', 'notes', 'transcript'] as const).map((name) => sectionId(ready, name)))
    expect(ready).toMatchObject({ has_children: true, last_edited_by: note['created_by'] })
    expect(await children(server.owner, sectionId(ready, 'notes'))).toStrictEqual([])
    expect(await textsOf(server.owner, ready, 'transcript')).toStrictEqual(['Ines: We will launch at noon.'])
  })

  it('200 with only the transcript in the finished note when no summary is requested', async () => {
    const ready = await makeSettledNote(server.owner, page, talk, { options: { kickoff_summary: false } })
    expect(statusOf(ready)).toBe('notes_ready')
    expect(Object.keys(at(ready, 'meeting_notes', 'children') as JsonObject)).toStrictEqual([
      'notes_block_id',
      'transcript_block_id',
    ])
    expect(await children(server.owner, idOf(ready))).toHaveLength(2)
  })

  it('200 with the time of the upload as the end of the recording, if the transcript has times', async () => {
    const content = 'WEBVTT\n\n00:01.000 --> 00:31:00.500\nFine.\n\n00:10.000 --> 00:12.000\nGood.'
    const end = server.clock.now()
    const timed = await makeSettledNote(server.owner, page, vtt(content))
    expect(at(timed, 'meeting_notes', 'recording')).toStrictEqual({
      start_time: new Date(end - 1_860_500).toISOString(),
      end_time: new Date(end).toISOString(),
    })
    expect(at(await makeSettledNote(server.owner, page, talk), 'meeting_notes', 'recording')).toBeUndefined()
  })

  it('200 for a paragraph appended to the notes section, and 400 for one appended to the note itself', async () => {
    const ready = await makeSettledNote(server.owner, page, talk)
    await append(server.owner, sectionId(ready, 'notes'), [paragraph('Bring fenders.')])
    expect(await textsOf(server.owner, ready, 'notes')).toStrictEqual(['Bring fenders.'])
    const refused = await server.owner.call('appendBlockChildren', {
      path: { block_id: idOf(ready) },
      body: { children: [paragraph('x')] },
    })
    expectError(refused, 400, 'validation_error')
  })

  it('200 with the note trashed and restored together with its contents, even during processing', async () => {
    const note = idOf(await makeNote(server.owner, page, talk))
    const path = { block_id: note }
    await server.owner.call('deleteBlock', { path })
    expect(statusOf(await settledNote(server.owner, note))).toBe('notes_ready')
    const { body } = await server.owner.call('updateBlock', { path, body: { in_trash: false } })
    expect(body).toMatchObject({ in_trash: false, has_children: true })
    expect(await textsOf(server.owner, body, 'transcript')).toStrictEqual(['Ines: We will launch at noon.'])
  })

  it('200 with the type transcription before 2026-03-11', async () => {
    const id = await upload(server.owner, 'Fine.', 'talk.txt')
    const old = { 'Service-Version': '2025-09-03' }
    const { body } = await create(ofUpload(id), old)
    expect(body).toMatchObject({ type: 'transcription', transcription: { status: 'transcription_not_started' }, archived: false })
    expect(body).not.toHaveProperty('meeting_notes')
  })

  it.each([[['insert_content']], [['read_content']]] as const)('403 with only the capability %s', async (capabilities) => {
    const { caller } = await makeConnection(server, { capabilities, grants: [page] })
    const id = await upload(server.owner, 'Fine.', 'talk.txt')
    expectError(await caller.call('createMeetingNotes', { body: ofUpload(id) }), 403, 'restricted_resource')
  })
})
