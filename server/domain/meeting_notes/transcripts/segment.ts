/** A piece of speech by one speaker. */
export interface SpokenSegment {
  /** Seconds from the start of the recording; undefined where the transcript has no times. */
  readonly start: number | undefined
  readonly end: number | undefined
  readonly speaker: string | undefined
  /** In one line, never blank. */
  readonly text: string
}

/** A recording cannot be transcribed, however often it is tried. The message is for the log. */
export class TranscriptionError extends Error {
  override readonly name = 'TranscriptionError'
}

export const SEGMENTS_MAX = 20_000
/** Bytes of a transcript, whether it was uploaded or comes from a transcription service. */
export const TRANSCRIPT_BYTES_MAX = 16 * 1024 * 1024
const SPEAKER_LENGTH_MAX = 200
/** A recording is no longer than this. */
const SECONDS_MAX = 31 * 86_400

/** Gathers the segments of a transcript. */
export class SegmentList {
  readonly segments: SpokenSegment[] = []

  /**
   * Adds a segment, unless its text is blank.
   * @throws TranscriptionError for times that cannot be, or when there are too many
   */
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

  /** @throws TranscriptionError when there is none */
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
