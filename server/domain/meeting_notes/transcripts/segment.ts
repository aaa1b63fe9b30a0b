/** A part of the speech of one speaker. */
export interface SpokenSegment {
  /** Seconds from the start of the recording; undefined if the transcript has no times. */
  readonly start: number | undefined
  readonly end: number | undefined
  readonly speaker: string | undefined
  /** One line, never blank. */
  readonly text: string
}

/** A recording that cannot be transcribed, even with more attempts. The message is for the log. */
export class TranscriptionError extends Error {
  override readonly name = 'TranscriptionError'
}

export const SEGMENTS_MAX = 20_000
/** The maximum size of a transcript, uploaded or from a transcription service. */
export const TRANSCRIPT_BYTES_MAX = 16 * 1024 * 1024
const SPEAKER_LENGTH_MAX = 200
/** The maximum length of a recording. */
const SECONDS_MAX = 31 * 86_400

/** Collects the segments of a transcript. */
export class SegmentList {
  readonly segments: SpokenSegment[] = []

  /** Adds a segment, unless its text is blank. @throws TranscriptionError for impossible times or too many segments */
  add(segment: SpokenSegment): void {
    const { start, end } = segment
    if (!isTime(start) || !isTime(end) || (start ?? 0) > (end ?? start ?? 0))
      throw new TranscriptionError('the transcript has a segment that ends before it starts, or at no time')
    const text = inOneLine(segment.text)
    if (text === '') return
    if (this.segments.length === SEGMENTS_MAX)
      throw new TranscriptionError(`the transcript has more than ${SEGMENTS_MAX} segments`)
    const speaker = inOneLine(segment.speaker ?? '')
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

function isTime(seconds: number | undefined): boolean {
  return seconds === undefined || (seconds >= 0 && seconds <= SECONDS_MAX)
}

function inOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
