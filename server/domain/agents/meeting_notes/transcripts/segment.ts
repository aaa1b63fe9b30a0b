import { yieldToEventLoop } from '../../../../kernel/yield_to_event_loop.ts'

/** A part of the speech of one speaker. */
export interface SpokenSegment {
  /** Seconds from the start of the recording; undefined if the transcript has no times. */
  readonly start: number | undefined
  readonly end: number | undefined
  readonly speaker: string | undefined
  /** One line, never blank, at most `SEGMENT_LENGTH_MAX` characters. */
  readonly text: string
}

/** A recording that cannot be transcribed, even with more attempts. The message is for the log. */
export class TranscriptionError extends Error {
  override readonly name = 'TranscriptionError'
}

export const SEGMENTS_MAX = 20_000
/** As much as a block holds. A longer text becomes several segments, so that each step of the work is short. UTF-16 units. */
const SEGMENT_LENGTH_MAX = 200_000
/** Entries and characters that are read before other requests can run. */
const ENTRIES_AT_ONCE = 2_000
/** The maximum size of a transcript, uploaded or from a transcription service. */
export const TRANSCRIPT_BYTES_MAX = 16 * 1024 * 1024
const SPEAKER_LENGTH_MAX = 200
/** The maximum length of a recording. */
const SECONDS_MAX = 31 * 86_400

/** Collects the segments of a transcript. */
export class SegmentList {
  readonly segments: SpokenSegment[] = []
  #entriesInStretch = 0
  #lengthInStretch = 0

  /** Adds a segment, unless its text is blank. @throws TranscriptionError for impossible times or too many segments */
  async add(segment: SpokenSegment): Promise<void> {
    const { start, end } = segment
    if (!isTime(start) || !isTime(end) || (start ?? 0) > (end ?? start ?? 0))
      throw new TranscriptionError('the transcript has a segment that ends before it starts, or whose start or end is not a time')
    for (const text of pieces(segment.text)) {
      this.#push({ ...segment, text })
      await this.#yieldAfter(text.length)
    }
  }

  async #yieldAfter(length: number): Promise<void> {
    this.#entriesInStretch += 1
    this.#lengthInStretch += length
    if (this.#entriesInStretch < ENTRIES_AT_ONCE && this.#lengthInStretch < SEGMENT_LENGTH_MAX) return
    ;[this.#entriesInStretch, this.#lengthInStretch] = [0, 0]
    await yieldToEventLoop()
  }

  #push(segment: SpokenSegment): void {
    const { start, end } = segment
    const text = inOneLine(segment.text)
    if (text === '') return
    if (this.segments.length === SEGMENTS_MAX)
      throw new TranscriptionError(`the transcript has more than ${SEGMENTS_MAX} segments`)
    const speaker = inOneLine((segment.speaker ?? '').slice(0, SEGMENT_LENGTH_MAX))
      .slice(0, SPEAKER_LENGTH_MAX)
      .toWellFormed()
    this.segments.push({ start, end, speaker: speaker === '' ? undefined : speaker, text })
  }

  /** @throws TranscriptionError if there are no segments */
  finish(): readonly SpokenSegment[] {
    if (this.segments.length === 0) throw new TranscriptionError('the transcript has no segment')
    return this.segments
  }
}

/** Splits a text into parts that are short enough for a segment, at a blank if the part has one. */
function* pieces(text: string): Generator<string> {
  for (let start = 0; start === 0 || start < text.length;) {
    const piece = text.slice(start, start + SEGMENT_LENGTH_MAX)
    const blank = start + piece.length < text.length ? piece.lastIndexOf(' ') : -1
    const whole = blank > 0 ? piece.slice(0, blank) : piece
    // Do not cut within a character.
    const isCut = /[\ud800-\udbff]$/.test(whole.slice(-1)) && whole.length > 1
    yield isCut ? whole.slice(0, -1) : whole
    start += Math.max(1, isCut ? whole.length - 1 : whole.length)
  }
}

function isTime(seconds: number | undefined): boolean {
  return seconds === undefined || (seconds >= 0 && seconds <= SECONDS_MAX)
}

function inOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
