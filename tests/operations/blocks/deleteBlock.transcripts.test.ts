import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { children, makePage, paragraph } from '../../harness/content.ts'
import { Listening } from '../../harness/events.ts'
import { idOf, type Json, type JsonObject } from '../../harness/json.ts'
import { makeSettledNote, plain, sectionId } from '../../harness/meeting_notes.ts'
import { serverOfFile } from '../../harness/server.ts'

const TYPE = 'page.transcription_block.transcript_deleted'

const server = await serverOfFile()
const listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types: [TYPE] })
const page = await makePage(server.owner)

const make = (): Promise<JsonObject> => makeSettledNote(server.owner, page, plain('Ines: At noon.\nTomas: Fine.'))
const remove = (id: string): ReturnType<typeof server.owner.call> => server.owner.call('deleteBlock', { path: { block_id: id } })
const trash = (id: string, in_trash: boolean): ReturnType<typeof server.owner.call> =>
  server.owner.call('updateBlock', { path: { block_id: id }, body: { in_trash } })
const deletion = (note: JsonObject): [string, string, Json] => [
  TYPE,
  page,
  { target: { id: idOf(note), type: 'block' }, transcript_id: sectionId(note, 'transcript') },
]

describe('deleteBlock of meeting notes', () => {
  it('200 with an event when deleteBlock or updateBlock deletes a transcript, but not when it is restored', async () => {
    const note = await make()
    const transcript = sectionId(note, 'transcript')
    expect(await listening.eventsBy(() => remove(transcript))).toStrictEqual([deletion(note)])
    expect(await listening.eventsBy(() => trash(transcript, false))).toStrictEqual([])
    expect(await listening.eventsBy(() => trash(transcript, true))).toStrictEqual([deletion(note)])
  })

  it('200 with an event when the last block of a transcript is deleted', async () => {
    const note = await make()
    const [first = '', second = ''] = (await children(server.owner, sectionId(note, 'transcript'))).map(idOf)
    expect(await listening.eventsBy(() => remove(first))).toStrictEqual([])
    expect(await listening.eventsBy(() => remove(second))).toStrictEqual([deletion(note)])
  })

  it('200 without an event for other sections and toggles, and for the transcript of a deleted note', async () => {
    const note = await make()
    const toggle = { toggle: { rich_text: [{ text: { content: 'Transcript' } }], children: [paragraph('x')] } }
    const body = { children: [toggle] }
    await server.owner.call('appendBlockChildren', { path: { block_id: sectionId(note, 'notes') }, body })
    const [own] = await children(server.owner, sectionId(note, 'notes'))
    const [inner] = await children(server.owner, idOf(own))
    for (const id of [idOf(inner), idOf(own), sectionId(note, 'notes'), sectionId(note, 'summary'), idOf(note)])
      expect(await listening.eventsBy(() => remove(id))).toStrictEqual([])
  })
})
