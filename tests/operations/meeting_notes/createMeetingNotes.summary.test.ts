import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { updateCreditTerms } from '../../../server/domain/agents/administration/credits.ts'
import { children, makePage } from '../../harness/content.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { makeNote, makeSettledNote, plain, retrieve, sectionId, settledNote, textsOf, vtt } from '../../harness/meeting_notes.ts'
import { breaksOff, delta, respondsWith, startModelServer, status, type ModelServer } from '../../harness/model_server.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

let model: ModelServer
let [own, withModel]: TestServer[] = []
const pages = new Map<TestServer, string>()

/** One server with the built-in summary, and one that uses a model. */
beforeAll(async () => {
  model = await startModelServer()
  const { url, key = '' } = model.endpoint
  own = await startTestServer()
  withModel = await startTestServer({
    AGENT_MODEL_URL: url,
    AGENT_MODEL_NAME: 'house-model=remote/model-1',
    AGENT_MODEL_KEY: key,
  })
  for (const server of [own, withModel]) pages.set(server, await makePage(server.owner))
})
afterAll(() => Promise.all([own?.stop(), withModel?.stop(), model.close()]))

async function make(server: TestServer | undefined, recording: ReturnType<typeof plain>, more: object = {}): Promise<JsonObject> {
  if (!server) throw new Error('no server')
  return makeSettledNote(server.owner, pages.get(server) ?? '', recording, more)
}
const summaryOf = (server: TestServer | undefined, note: JsonObject): Promise<string[]> =>
  server ? textsOf(server.owner, note, 'summary') : Promise.resolve([])
const usageOf = async (server: TestServer | undefined, note: JsonObject): Promise<{ tokens: number }[]> =>
  server
    ? server.service.database.read((db) =>
        db.all({ tokens: 'integer' }, 'select tokens from agent_usage where source_id = ?', idOf(note)),
      )
    : Promise.resolve([])

const TALK = [
  'Ines: The keel bolts are loose.',
  'Tomas: Keel bolts again? I will tighten the bolts on Friday.',
  'Aiko: The weather looks good.',
  'Ines: Please check the mast, too.',
].join('\n')

describe('createMeetingNotes', () => {
  it('writes a summary with key points as bullets, and promises and requests as open to-dos', async () => {
    const note = await make(own, plain(TALK), { language: 'en' })
    const blocks = await children(own?.owner as TestServer['owner'], sectionId(note, 'summary'))
    expect(blocks.map(({ type, to_do }) => [type, at(to_do, 'checked')])).toStrictEqual([
      ['heading_3', undefined],
      ['bulleted_list_item', undefined],
      ['heading_3', undefined],
      ['to_do', false],
      ['to_do', false],
    ])
    // Five sentences, one point: "bolts" occurs three times and "keel" twice, in a sentence of three words.
    expect(await summaryOf(own, note)).toStrictEqual([
      'Key points',
      'Keel bolts again?',
      'Action items',
      'I will tighten the bolts on Friday.',
      'Please check the mast, too.',
    ])
  })

  it('writes equal summaries for equal transcripts in lines, in one line or as WebVTT, and no action items without promises', async () => {
    const said = ['The tide turns at six.', 'High tide floods the slip.', 'Good.']
    const cues = said.map((text, index) => `00:0${index}.000 --> 00:0${index}.900\n${text}`)
    const summaries = [
      await summaryOf(own, await make(own, plain(said.join('\n')))),
      await summaryOf(own, await make(own, plain(said.join(' ')))),
      await summaryOf(own, await make(own, vtt(['WEBVTT', ...cues].join('\n\n')))),
    ]
    for (const summary of summaries) expect(summary).toStrictEqual(['Key points', 'High tide floods the slip.'])
  })

  it('selects seven sentences in their original order, and the first ten promises', async () => {
    const said = Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? `We will row to buoy ${index}.` : `Fine, ${index}.`))
    const texts = await summaryOf(own, await make(own, plain(said.join('\n'))))
    const [points, items] = [texts.slice(1, texts.indexOf('Action items')), texts.slice(texts.indexOf('Action items') + 1)]
    expect(points).toHaveLength(7)
    expect(points.map((point) => said.indexOf(point))).toStrictEqual(
      points.map((point) => said.indexOf(point)).toSorted((a, b) => a - b),
    )
    expect(items).toStrictEqual(said.filter((text) => text.startsWith('We will')).slice(0, 10))
  })

  it.each([
    [1, 1],
    [8, 1],
    [9, 2],
    [17, 3],
    [56, 7],
    [57, 7],
  ])('given %i sentences, selects this number of key points: %i', async (sentences, points) => {
    const said = Array.from({ length: sentences }, (_, index) => `Buoy ${index} drifts.`)
    expect(await summaryOf(own, await make(own, plain(said.join(' '))))).toStrictEqual(['Key points', ...said.slice(0, points)])
  })

  it('makes an action item of each sentence with a word such as will or please, matched as a whole word', async () => {
    const withModel = [
      'We will row.',
      'They need to bail.',
      'Action at noon.',
      'A todo remains.',
      'Much to do here.',
      'Row, please.',
    ]
    const statements = [
      'Goodwill counts.',
      'They needed to bail.',
      'Actions count.',
      'Todos wait.',
      'Much to dodge.',
      'Pleased to row.',
    ]
    const texts = await summaryOf(own, await make(own, plain([...statements, ...withModel].join('\n')), { language: 'en' }))
    expect(texts.slice(texts.indexOf('Action items') + 1)).toStrictEqual(withModel)
  })

  it('writes a notice instead of a summary for a transcript without words', async () => {
    const note = await make(own, plain('…\n- - -'))
    expect(await summaryOf(own, note)).toStrictEqual(['The service could not summarize this transcript.'])
  })

  it.each([
    ['de', 'William willingly waited.'],
    ['en', 'Die, die, die, die, die.'],
  ])('matches promises and stop words of the language as whole words: %s', async (language, point) => {
    const note = await make(own, plain('William willingly waited.\nDie, die, die, die, die.'), { language })
    expect(await summaryOf(own, note)).toStrictEqual(['Key points', point])
  })

  it('charges workspace credits for a summary by the length of transcript and summary', async () => {
    const note = await make(own, plain('Ines: At noon.'), { title: 'Noon' })
    // "Noon\nInes: At noon." and "At noon.", four bytes per token.
    expect(await usageOf(own, note)).toStrictEqual([{ tokens: 5 + 2 }])
    expect(await usageOf(own, await make(own, plain('Fine.'), { options: { kickoff_summary: false } }))).toStrictEqual([])
  })

  it('completes the note without a summary when the workspace has no credits', async () => {
    const credits = (value: number | null): Promise<unknown> =>
      own?.service.database.write((db) =>
        updateCreditTerms(db, exampleWorkspace.workspace.id, { credits: value }, own?.clock.now() ?? 0),
      ) ?? Promise.resolve()
    await credits(0)
    const note = await make(own, plain(TALK))
    await credits(null)
    expect(note).toMatchObject({ has_children: true, meeting_notes: { status: 'notes_ready' } })
    expect(Object.keys(at(note, 'meeting_notes', 'children') as JsonObject)).toStrictEqual([
      'notes_block_id',
      'transcript_block_id',
    ])
    expect(await usageOf(own, note)).toStrictEqual([])
  })

  it('lets the configured model write the summary, and charges its usage', async () => {
    model.respond(respondsWith('{"key_points":["Bolts are loose."],"action_items":["Tomas: tighten them."]}'))
    const note = await make(withModel, plain(TALK), { title: 'Keel', language: 'en' })
    expect(await summaryOf(withModel, note)).toStrictEqual([
      'Key points',
      'Bolts are loose.',
      'Action items',
      'Tomas: tighten them.',
    ])
    expect(await usageOf(withModel, note)).toStrictEqual([{ tokens: 120 }])
    const messages = at(model.requests.at(-1)?.body, 'messages')
    expect(JSON.parse(String(at(messages, 1, 'content')))).toStrictEqual({
      title: 'Keel',
      language: 'en',
      transcript: `Keel\n${TALK}`,
    })
  })

  it('shows the summary as in progress, with the complete transcript', async () => {
    const held = Promise.withResolvers<void>()
    model.respond(
      (response, body) =>
        void held.promise.then(() => respondsWith('{"key_points":["Fine."],"action_items":[]}')(response, body)),
    )
    const { owner } = withModel as TestServer
    const id = idOf(await makeNote(owner, pages.get(withModel as TestServer) ?? '', plain(TALK)))
    const statusOf = async (): Promise<unknown> => at(await retrieve(owner, id), 'meeting_notes', 'status')
    await expect.poll(statusOf).toBe('summary_in_progress')
    const note = await retrieve(owner, id)
    expect(await textsOf(owner, note, 'transcript')).toHaveLength(4)
    expect(at(note, 'meeting_notes', 'children')).not.toHaveProperty('summary_block_id')
    held.resolve()
    expect(at(await settledNote(owner, id), 'meeting_notes', 'status')).toBe('notes_ready')
  })

  it.each([
    ['an error', status(500)],
    ['text that is not JSON', respondsWith('Here you are: all is well.')],
    ['JSON of another form', respondsWith('{"key_points":"none"}')],
    ['empty key points', respondsWith('{"key_points":[" "],"action_items":[]}')],
    ['a stream that breaks off', breaksOff(delta({ content: '{"key_' }))],
  ])('writes the summary without the model after the model returns %s twice', async (_what, bad) => {
    const before = model.requests.length
    model.respond(bad, bad)
    expect((await summaryOf(withModel, await make(withModel, plain(TALK))))[1]).toBe('Keel bolts again?')
    expect(model.requests.length - before).toBe(2)
  })
})
