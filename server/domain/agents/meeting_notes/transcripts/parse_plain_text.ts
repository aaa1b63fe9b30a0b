import { linesOf } from './lines.ts'
import { SegmentList, type SpokenSegment } from './segment.ts'

/** A name of a few words before a colon and a space. Times of day and addresses do not match. */
const SPEAKER = /^\s*(\p{L}[^:!?;]{0,79}):\s(?=.*\S)/u
const NAME_WORDS_MAX = 5

/** Parses each line that is not blank as a segment without times; `Name: text` names the speaker. @throws TranscriptionError */
export async function parsePlainText(text: string): Promise<readonly SpokenSegment[]> {
  const list = new SegmentList()
  for await (const line of linesOf(text)) {
    const [whole = '', name] = SPEAKER.exec(line) ?? []
    const isName = name !== undefined && name.trim().split(/\s+/).length <= NAME_WORDS_MAX
    const [speaker, said] = isName ? [name, line.slice(whole.length)] : [undefined, line]
    await list.add({ start: undefined, end: undefined, speaker, text: said })
  }
  return list.finish()
}
