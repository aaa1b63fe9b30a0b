import { linesOf } from './lines.ts'
import { SegmentList, type SpokenSegment } from './segment.ts'

/** A name of a few words before a colon and a blank; a time of day or an address is none. */
const SPEAKER = /^\s*(\p{L}[^:!?;]{0,79}):\s(?=.*\S)/u
const NAME_WORDS_MAX = 5

/** Each line that is not blank is a segment, without times; `Name: text` names the speaker. @throws TranscriptionError */
export async function parsePlainText(text: string): Promise<readonly SpokenSegment[]> {
  const list = new SegmentList()
  for await (const line of linesOf(text)) {
    const [whole = '', name] = SPEAKER.exec(line) ?? []
    const isName = name !== undefined && name.trim().split(/\s+/).length <= NAME_WORDS_MAX
    const [speaker, said] = isName ? [name, line.slice(whole.length)] : [undefined, line]
    list.add({ start: undefined, end: undefined, speaker, text: said })
  }
  return list.finish()
}
