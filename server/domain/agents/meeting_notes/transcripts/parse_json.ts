import { SegmentList, SEGMENTS_MAX, TranscriptionError, type SpokenSegment } from './segment.ts'

/** The maximum number of entries, including those without text, which are skipped. */
const ENTRIES_MAX = 10 * SEGMENTS_MAX

/**
 * Parses a list of `{start, end, speaker?, text}`, with times in seconds, or an object with that list under `segments`. Other
 * keys are ignored.
 * @throws TranscriptionError
 */
export async function parseJsonTranscript(text: string): Promise<readonly SpokenSegment[]> {
  const entries = listIn(text)
  if (entries.length > ENTRIES_MAX) throw new TranscriptionError('the transcript has too many entries')
  const list = new SegmentList()
  for (const entry of entries) await list.add(segmentOf(entry))
  return list.finish()
}

function listIn(text: string): readonly unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new TranscriptionError('the transcript is not JSON', { cause })
  }
  const list = isObject(value) && !Array.isArray(value) ? value['segments'] : value
  if (!Array.isArray(list)) throw new TranscriptionError('the transcript is not a list of segments')
  return list
}

function segmentOf(entry: unknown): SpokenSegment {
  if (!isObject(entry)) throw new TranscriptionError('the transcript has a segment that is not an object')
  const { start, end, speaker, text } = entry
  if (typeof start !== 'number' || typeof end !== 'number' || typeof text !== 'string')
    throw new TranscriptionError('the transcript has a segment whose start or end is not a number, or whose text is not a string')
  if (speaker !== undefined && speaker !== null && typeof speaker !== 'string')
    throw new TranscriptionError('the transcript has a speaker that is not a string')
  return { start, end, speaker: speaker ?? undefined, text }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
