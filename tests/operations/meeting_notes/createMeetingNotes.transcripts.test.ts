import { describe, expect, it } from 'vitest'
import { children, makePage } from '../../harness/content.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { json, makeSettledNote, plain, sectionId, textsOf, vtt, type Recording } from '../../harness/meeting_notes.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)

const NO_SUMMARY = { options: { kickoff_summary: false } }
const make = (recording: Recording): Promise<JsonObject> => makeSettledNote(server.owner, page, recording, NO_SUMMARY)
const statusOf = (note: JsonObject): unknown => at(note, 'meeting_notes', 'status')

const read: readonly (readonly [what: string, recording: Recording, texts: readonly string[]])[] = [
  [
    'text: a segment for each line that is not blank, with the name before a colon as its speaker',
    plain('\ufeffInes: At noon.\r\n\r\n   \r\nDr. Tomas Reyes:\tFine.\nand so on\rAiko:\n10:30 we begin\nSee http://x.example/a'),
    ['Ines: At noon.', 'Dr. Tomas Reyes: Fine.', 'and so on', 'Aiko:', '10:30 we begin', 'See http://x.example/a'],
  ],
  [
    'text in which a sentence has a colon, which is not a speaker',
    plain('I will say this once and for all: no.\nReally? Yes: no.'),
    ['I will say this once and for all: no.', 'Really? Yes: no.'],
  ],
  [
    'captions: cues with their times, voices as speakers, without tags, remarks and styles',
    vtt(
      [
        'WEBVTT - Launch',
        'Kind: captions',
        '',
        'NOTE a remark\non two lines',
        '',
        'STYLE\n::cue { color: red }',
        '',
        'intro',
        '00:01.000 --> 00:02.500 align:start',
        '<v Ines>At <b>noon</b> &amp; not <00:00:01.500>later.</v>',
        '',
        '01:00:00.000 --> 100:00:00.000',
        '<v.loud Tomas Reyes>Fine,',
        'then.',
        '',
        '00:05.000 --> 00:06.000',
        '<v Ines>One.</v> <v Aiko>Two &#x26; &lt;three&gt;.',
        '',
        '00:07.000 --> 00:08.000',
        '',
      ].join('\n'),
    ),
    [
      '[00:00:01] Ines: At noon & not later.',
      '[01:00:00] Tomas Reyes: Fine, then.',
      '[00:00:05] Ines: One.',
      '[00:00:05] Aiko: Two & <three>.',
    ],
  ],
  [
    'JSON: a list of segments, ignoring other members',
    json([
      { start: 0, end: 1.5, speaker: 'Ines', text: ' At\n noon. ', confidence: 0.9 },
      { start: 3661, end: 3662, text: 'Fine.' },
      { start: 3662, end: 3662, speaker: null, text: '   ' },
    ]),
    ['[00:00:00] Ines: At noon.', '[01:01:01] Fine.'],
  ],
  [
    'JSON: the list under `segments`',
    json({ segments: [{ start: 1, end: 2, text: 'Fine.' }], language: 'en' }),
    ['[00:00:01] Fine.'],
  ],
]

const failed: readonly (readonly [what: string, recording: Recording])[] = [
  ['an empty text', plain('\n \n')],
  [
    'text in another encoding',
    { content: Buffer.from('caf\xe9 au lait, caf\xe9', 'latin1'), filename: 'talk.txt', type: 'text/plain' },
  ],
  ['captions without their first line', vtt('00:01.000 --> 00:02.000\nFine.')],
  ['captions with a first line that only begins with WEBVTT', vtt('WEBVTTX\n\n00:01.000 --> 00:02.000\nFine.')],
  ['captions with a malformed time', vtt('WEBVTT\n\n00:61.000 --> 00:62.000\nFine.')],
  ['captions that end before they start', vtt('WEBVTT\n\n00:02.000 --> 00:01.000\nFine.')],
  ['captions with a text without times', vtt('WEBVTT\n\n00:01.000 --> 00:02.000\nFine.\n\nand more')],
  ['captions without a cue', vtt('WEBVTT\n\nNOTE nothing')],
  ['malformed JSON', { content: '[{"start":', filename: 'talk.json' }],
  ['endlessly nested JSON', { content: '['.repeat(200_000), filename: 'talk.json' }],
  ['JSON of another form', json({ text: 'Fine.' })],
  ['JSON with an item that is not an object', json(['Fine.'])],
  ['JSON without times', json([{ text: 'Fine.' }])],
  ['JSON with a time that is a text', json([{ start: '0', end: 1, text: 'Fine.' }])],
  ['JSON with a time before the start', json([{ start: -1, end: 1, text: 'Fine.' }])],
  ['JSON with a time beyond any recording', json([{ start: 0, end: 1e12, text: 'Fine.' }])],
  ['JSON with a speaker that is not text', json([{ start: 0, end: 1, speaker: 7, text: 'Fine.' }])],
  ['JSON without a text', json([{ start: 0, end: 1 }])],
  ['JSON without a segment', json([])],
]

describe('createMeetingNotes', () => {
  it.each(read)('reads %s', async (_what, recording, texts) => {
    const note = await make(recording)
    expect(statusOf(note)).toBe('notes_ready')
    expect(await textsOf(server.owner, note, 'transcript')).toStrictEqual(texts)
  })

  it.each(failed)('ends as transcription_failed, without sections, for %s', async (_what, recording) => {
    const note = await make(recording)
    expect(note).toMatchObject({ has_children: false, meeting_notes: { status: 'transcription_failed' } })
    expect(note['meeting_notes']).not.toHaveProperty('children')
    expect(await children(server.owner, idOf(note))).toStrictEqual([])
  })

  it.each([
    ['audio', 'talk.mp3', 'audio/mpeg'],
    ['video', 'talk.mp4', 'video/mp4'],
  ])('ends as transcription_failed for %s without a transcription service', async (_what, filename, type) => {
    expect(statusOf(await make({ content: '', filename, type }))).toBe('transcription_failed')
  })

  it('stores a long segment as one paragraph, in runs of 2,000 characters that split no character', async () => {
    const long = `Ines: ${'x'.repeat(1_999)}⛵${'y'.repeat(3_000)}`.replace('⛵', '\u{1f6a2}')
    const note = await make(plain(long))
    const [only, ...others] = await children(server.owner, sectionId(note, 'transcript'))
    const runs = at(only, 'paragraph', 'rich_text') as JsonObject[]
    expect(others).toStrictEqual([])
    expect(runs.map((run) => [...String(run['plain_text'])].length)).toStrictEqual([6, 2_000, 2_000, 1_000])
    expect(runs.map((run) => run['plain_text']).join('')).toBe(long)
  })

  it('continues a segment longer than a block in the next block', async () => {
    const long = 'z'.repeat(201_000)
    const note = await make(plain(long))
    const texts = await textsOf(server.owner, note, 'transcript')
    expect(texts.map(({ length }) => length)).toStrictEqual([200_000, 1_000])
    expect(texts.join('')).toBe(long)
  })

  it('accepts 20,000 segments in order, and refuses 20,001', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`)
    const note = await make(plain(lines.join('\n')))
    expect(statusOf(note)).toBe('notes_ready')
    const ranked = await server.service.database.read((db) =>
      db.all({ content: 'text' }, 'select content from blocks where parent_id = ? order by rank', sectionId(note, 'transcript')),
    )
    expect(ranked.map(({ content }) => /line \d+/.exec(content)?.[0])).toStrictEqual(lines)
    expect(statusOf(await make(plain([...lines, 'one more'].join('\n'))))).toBe('transcription_failed')
  })
})
