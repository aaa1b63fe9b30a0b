import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { expectError } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'
import { makeSettledNote, plain, retrieve } from '../../harness/meeting_notes.ts'
import { storeNotes } from './support/stored_notes.ts'

const [ines, tomas, aiko] = exampleWorkspace.people.map(({ id }) => id) as [string, string, string]

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'true' })

const query = (body: object = {}, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('queryMeetingNotes', { body })
const idsIn = (body: JsonObject): string[] => resultsOf(body).map(idOf)
const found = async (body: object = {}, caller = server.owner): Promise<string[]> => idsIn((await query(body, caller)).body)
/** Filters notes by this word in their titles, so that tests are independent. */
const titled = (value: string): object => ({
  operator: 'and',
  filters: [{ property: 'title', filter: { operator: 'string_contains', value: { type: 'exact', value } } }],
})
/** The results among some notes, by index. */
const among = async (ids: readonly string[], body: object, caller = server.owner): Promise<number[]> =>
  (await found(body, caller)).map((id) => ids.indexOf(id)).filter((index) => index >= 0)

describe('queryMeetingNotes', () => {
  it('200 with all notes as blocks in one page, in the form of retrieveBlock', async () => {
    const page = await makePage(server.owner)
    const note = await makeSettledNote(server.owner, page, plain('Fine.'), { title: 'A list' })
    const { status, body } = await query({ filter: titled('A list') })
    const { request_id: _, ...retrieved } = await retrieve(server.owner, idOf(note))
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', type: 'block', block: {}, has_more: false, next_cursor: null })
    expect(body['results']).toStrictEqual([retrieved])
  })

  it('200 with all notes for a request without a body or with empty filters', async () => {
    const all = await server.owner.send('POST', '/v1/blocks/meeting_notes/query')
    expect(all.status).toBe(200)
    expect(idsIn(all.body)).toContain('d79834c3-cd7e-40b2-866f-511b3784e1fa')
    expect(await found({ filter: { operator: 'or' } })).toStrictEqual(idsIn(all.body))
    expect(await found({ filter: { operator: 'and', filters: [{ operator: 'or', filters: [] }] } })).toStrictEqual(
      idsIn(all.body),
    )
  })

  it('200 with fifty notes by default, and has_more true if there are others', async () => {
    const page = await makePage(server.owner)
    await storeNotes(
      server,
      page,
      Array.from({ length: 101 }, (_, index) => ({ title: `Many ${index}` })),
    )
    for (const [limit, count, hasMore] of [
      [undefined, 50, true],
      [1, 1, true],
      [100, 100, true],
    ] as const) {
      const { body } = await query({ filter: titled('many'), ...(limit === undefined ? {} : { limit }) })
      expect([resultsOf(body).length, body['has_more'], body['next_cursor']]).toStrictEqual([count, hasMore, null])
    }
    const { body } = await query({ filter: titled('many 10'), limit: 2 })
    // The notes at 10 and 100.
    expect([resultsOf(body).length, body['has_more']]).toStrictEqual([2, false])
  })

  it('200 newest first, or by any property: letters case-insensitively, people by name, missing values last', async () => {
    const page = await makePage(server.owner)
    const ids = await storeNotes(server, page, [
      { title: 'Sort zebra', created: '2026-05-01T09:00Z', createdBy: tomas, edited: '2026-05-09T09:00Z', editedBy: aiko },
      {
        title: 'sort Ångström',
        created: '2026-05-03T09:00Z',
        createdBy: ines,
        edited: '2026-05-05T09:00Z',
        attendees: [tomas, aiko],
      },
      {
        title: 'SORT apple',
        created: '2026-05-02T09:00Z',
        createdBy: aiko,
        edited: '2026-05-07T09:00Z',
        editedBy: ines,
        attendees: [aiko],
      },
    ])
    const sorted = (...sort: [string, string][]): Promise<number[]> =>
      among(ids, { filter: titled('sort'), sort: sort.map(([property, direction]) => ({ property, direction })) })
    expect(await among(ids, { filter: titled('sort') })).toStrictEqual([1, 2, 0])
    expect(await sorted(['created_time', 'ascending'])).toStrictEqual([0, 2, 1])
    expect(await sorted(['title', 'ascending'])).toStrictEqual([1, 2, 0])
    expect(await sorted(['title', 'descending'])).toStrictEqual([0, 2, 1])
    expect(await sorted(['last_edited_time', 'descending'])).toStrictEqual([0, 2, 1])
    // Aiko, Ines, Tomas.
    expect(await sorted(['created_by', 'ascending'])).toStrictEqual([2, 1, 0])
    // Aiko, Ines, the assistant of the yard.
    expect(await sorted(['last_edited_by', 'ascending'])).toStrictEqual([0, 2, 1])
    // By the first attendee; notes without attendees come last in both directions.
    expect(await sorted(['attendees', 'ascending'])).toStrictEqual([2, 1, 0])
    expect(await sorted(['attendees', 'descending'])).toStrictEqual([1, 2, 0])
  })

  it("200 with the meeting's times and invitees for a note from a calendar", async () => {
    const page = await makePage(server.owner)
    const [id = ''] = await storeNotes(server, page, [{ title: 'Calendar', attendees: [tomas, aiko] }])
    const calendar_event = {
      start_time: '2026-05-04T08:30:00.000Z',
      end_time: '2026-05-04T09:00:00.000Z',
      attendees: [tomas, aiko],
    }
    const [found] = resultsOf((await query({ filter: titled('calendar') })).body)
    for (const note of [found, await retrieve(server.owner, id)])
      expect(at(note, 'meeting_notes', 'calendar_event')).toStrictEqual(calendar_event)
  })

  it('200 with equal values sorted by the next sort', async () => {
    const page = await makePage(server.owner)
    const ids = await storeNotes(server, page, [
      { title: 'Tie', created: '2026-05-01T09:00Z', attendees: [ines] },
      { title: 'tie', created: '2026-05-02T09:00Z', attendees: [aiko] },
      { title: '', created: '2026-05-02T09:00Z' },
      { title: 'TIE', created: '2026-05-02T09:00Z', attendees: [tomas] },
    ])
    const sorted = (...properties: string[]): Promise<number[]> =>
      among(ids, { sort: properties.map((property) => ({ property, direction: 'ascending' })) })
    expect(await sorted('created_time', 'attendees')).toStrictEqual([0, 1, 3, 2])
    expect(await sorted('attendees', 'created_time')).toStrictEqual([1, 0, 3, 2])
  })

  it('200 with the limit applied anywhere in the order, even among notes with equal times', async () => {
    const page = await makePage(server.owner)
    const ids = await storeNotes(
      server,
      page,
      Array.from({ length: 30 }, (_, index) => ({ title: `Cut ${30 - index}`, created: '2026-05-02T09:00Z' })),
    )
    const sort = [
      { property: 'created_time', direction: 'descending' },
      { property: 'title', direction: 'ascending' },
    ]
    const all = await among(ids, { filter: titled('cut'), sort })
    for (const limit of [1, 7, 29])
      expect(await among(ids, { filter: titled('cut'), sort, limit })).toStrictEqual(all.slice(0, limit))
    expect(new Set(all).size).toBe(30)
  })

  describe('the visible notes', () => {
    let page: string
    let ids: string[]
    beforeAll(async () => {
      page = await makePage(server.owner)
      ids = await storeNotes(server, page, [
        { title: 'Seen by its creator', createdBy: aiko },
        { title: 'Seen by who was invited', createdBy: ines, attendees: [tomas, aiko] },
        { title: 'Seen by others', createdBy: ines, attendees: [tomas] },
        { title: 'Seen twice', createdBy: aiko, attendees: [aiko] },
      ])
    })
    const seen = { filter: titled('seen') }

    it('of a member are notes that the member created or was invited to, once each', async () => {
      const member = await makeMember(server, aiko)
      expect((await among(ids, seen, member)).sort()).toStrictEqual([0, 1, 3])
    })

    it('of a member omit notes that are closed to the member', async () => {
      const closed = await makePage(server.owner)
      const [id = ''] = await storeNotes(server, closed, [{ title: 'Seen closed', createdBy: aiko }])
      const member = await makeMember(server, aiko)
      expect(await found({ filter: titled('seen closed') }, member)).toStrictEqual([id])
      await server.service.database.write((db) =>
        setMemberAccess(db, exampleWorkspace.workspace.id, closed, aiko, 'none', server.clock.now()),
      )
      expect(await found({ filter: titled('seen closed') }, member)).toStrictEqual([])
    })

    it('of a bot without a user are all notes shared with the bot', async () => {
      const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
      expect((await among(ids, {}, caller)).sort()).toStrictEqual([0, 1, 2, 3])
      expect(await found({}, caller)).toHaveLength(4)
      const stranger = await makeConnection(server, { capabilities: ['read_content'] })
      expect(await found({}, stranger.caller)).toStrictEqual([])
    })

    it('of a bot that acts for a person are notes that either created, or to which the person was invited', async () => {
      const bot = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
      await server.service.database.write((db) => db.run('update users set owner_id = ? where id = ?', tomas, bot.botId))
      const [own = ''] = await storeNotes(server, page, [{ title: 'Seen by its bot', createdBy: bot.botId }])
      expect((await found({}, bot.caller)).sort()).toStrictEqual([ids[1] ?? '', ids[2] ?? '', own].sort())
    })

    it('omit notes in the trash or below a page in the trash, for everybody', async () => {
      const outer = await makePage(server.owner)
      const inner = await makePage(server.owner, 'Inner', outer)
      const [note = ''] = await storeNotes(server, inner, [{ title: 'Seen in the trash', createdBy: aiko }])
      const trash = { filter: titled('in the trash') }
      for (const id of [note, inner, outer]) {
        expect(await found(trash)).toStrictEqual([note])
        await server.owner.call('deleteBlock', { path: { block_id: id } })
        expect(await found(trash)).toStrictEqual([])
        await server.owner.call('updateBlock', { path: { block_id: id }, body: { in_trash: false } })
      }
      await server.owner.call('updatePage', { path: { page_id: inner }, body: { erase_content: true } })
      expect(await found(trash)).toStrictEqual([])
    })
  })

  it("200 with the copy of a template's note", async () => {
    const template = await makePage(server.owner, 'Weekly')
    await storeNotes(server, template, [{ title: 'Copied note', createdBy: ines, attendees: [tomas] }])
    const page = await makePage(server.owner)
    const body = { parent: { page_id: page }, template: { type: 'template_id', template_id: template }, properties: {} }
    await server.owner.call('createPage', { body })
    await expect.poll(async () => (await found({ filter: titled('copied') })).length).toBe(2)
  })

  it('200 with notes of type transcription before 2026-03-11', async () => {
    const { body } = await server.caller(TOKEN, '2025-09-03').call('queryMeetingNotes', { body: { filter: titled('rehearsal') } })
    expect(resultsOf(body).map((note) => [note['type'], at(note, 'transcription', 'status'), note['archived']])).toStrictEqual([
      ['transcription', 'notes_ready', false],
    ])
  })

  it('403 without the capability to read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'] })
    expectError(await query({}, caller), 403, 'restricted_resource')
  })
})
