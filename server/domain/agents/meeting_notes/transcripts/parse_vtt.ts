import { linesOf } from './lines.ts'
import { SegmentList, TranscriptionError, type SpokenSegment } from './segment.ts'

const HEADER = /^WEBVTT(?:[ \t]|$)/
const TIMING = /^[ \t]*((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t]|$)/
const ARROW = '-->'
/** The maximum length of a cue. Subtitles on one screen are much shorter. */
const CUE_LENGTH_MAX = 50_000
/** Blocks other than cues: comments and styles. */
const ASIDE = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/

/**
 * Parses the cues in order, with their times. A voice tag names the speaker and starts a new segment.
 * @throws TranscriptionError
 */
export async function parseVtt(text: string): Promise<readonly SpokenSegment[]> {
  const list = new SegmentList()
  let block: string[] = []
  let isHeader = true
  const finishBlock = async (): Promise<void> => {
    if (isHeader && !HEADER.test(block[0] ?? '')) throw new TranscriptionError('the transcript does not begin with WEBVTT')
    if (!isHeader && block.length > 0 && !ASIDE.test(block[0] ?? '')) await addCue(list, block)
    isHeader = false
    block = []
  }
  for await (const line of linesOf(text)) {
    if (line.trim() === '') await finishBlock()
    else block.push(line)
  }
  await finishBlock()
  return list.finish()
}

/** Parses a cue: an optional identifier, its times, and lines of text. */
async function addCue(list: SegmentList, [first = '', ...others]: readonly string[]): Promise<void> {
  const lines = first.includes(ARROW) ? [first, ...others] : others
  const [, start, end] = TIMING.exec(lines[0] ?? '') ?? []
  if (start === undefined || end === undefined) throw new TranscriptionError('the transcript has a cue without times')
  const times = { start: secondsOf(start), end: secondsOf(end) }
  const payload = lines.slice(1).join('\n')
  if (payload.length > CUE_LENGTH_MAX)
    throw new TranscriptionError(`the transcript has a cue of more than ${CUE_LENGTH_MAX} characters`)
  for (const { speaker, text } of voicesIn(payload)) await list.add({ ...times, speaker, text })
}

function secondsOf(timestamp: string): number {
  return timestamp.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** The text without tags, by speaker: `<v Ines>At noon.</v><v Tom>Fine.` has two. */
function* voicesIn(payload: string): Generator<{ readonly speaker: string | undefined; readonly text: string }> {
  let [speaker, text]: [string | undefined, string] = [undefined, '']
  for (let position = 0; position < payload.length;) {
    const open = payload.indexOf('<', position)
    text += characters(payload.slice(position, open < 0 ? payload.length : open))
    if (open < 0) break
    const close = payload.indexOf('>', open)
    const tag = payload.slice(open + 1, close < 0 ? payload.length : close)
    position = close < 0 ? payload.length : close + 1
    const isVoice = /^v(?:[.\s]|$)/.test(tag)
    if (!isVoice && tag !== '/v') continue
    yield { speaker, text }
    ;[speaker, text] = [isVoice ? characters(tag.replace(/^v\S*/, '')) : undefined, '']
  }
  yield { speaker, text }
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['lrm', ''],
  ['rlm', ''],
])
const CODE_POINT_MAX = 0x10ffff

/** Text with its character references resolved. Invalid references stay unchanged. */
function characters(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal)
      return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : whole
    },
  )
}
