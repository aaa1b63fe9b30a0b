import { json, plain, vtt, type Recording } from '../../harness/meeting_notes.ts'

/** The maximum size of a transcript. */
const TRANSCRIPT_LENGTH = 16_000_000

const words = (length: number, word = 'The sluice will open at noon '): string =>
  word.repeat(Math.ceil(length / word.length)).slice(0, length)

function differentWords(length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n += 1) text += `w${n.toString(36)} `
  return text.slice(0, length)
}

const CUES = 20_000
/** The largest recordings, by the part that is long. */
export const transcripts: readonly (readonly [string, Recording])[] = [
  ['a text of one line', plain(words(TRANSCRIPT_LENGTH))],
  ['a text of one line of different words', plain(differentWords(TRANSCRIPT_LENGTH))],
  ['a text of one word', plain('a'.repeat(TRANSCRIPT_LENGTH))],
  ['a text of dots', plain('.'.repeat(TRANSCRIPT_LENGTH))],
  ['a text of the shortest sentences', plain('A. '.repeat(TRANSCRIPT_LENGTH / 3))],
  ['captions', vtt(`WEBVTT\n${`\n00:00:01.000 --> 00:00:02.000\n${words(700)}\n`.repeat(CUES)}`)],
  ['a list with one text', json([{ start: 0, end: 1, text: words(TRANSCRIPT_LENGTH) }])],
  [
    'a list of blank texts',
    json(Array.from({ length: 200_000 }, (_entry, n) => ({ start: n, end: n, text: n === 0 ? 'x' : ' ' }))),
  ],
]
