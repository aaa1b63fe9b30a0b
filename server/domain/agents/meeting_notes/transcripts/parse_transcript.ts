import type { TranscriptType } from '../../../files/index.ts'
import { parseJsonTranscript } from './parse_json.ts'
import { parsePlainText } from './parse_plain_text.ts'
import { parseVtt } from './parse_vtt.ts'
import { TranscriptionError, TRANSCRIPT_BYTES_MAX, type SpokenSegment } from './segment.ts'

const parsers: Readonly<Record<TranscriptType, (text: string) => Promise<readonly SpokenSegment[]>>> = {
  'text/plain': parsePlainText,
  'text/vtt': parseVtt,
  'application/json': parseJsonTranscript,
}

/** Parses a transcript. @throws TranscriptionError if it is malformed, empty or too long */
export async function parseTranscript(type: TranscriptType, bytes: AsyncIterable<Uint8Array>): Promise<readonly SpokenSegment[]> {
  return parsers[type](await decodeText(bytes))
}

/** Decodes UTF-8. @throws TranscriptionError for invalid or too many bytes, and errors of the source */
export async function decodeText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [text, total] = ['', 0]
  for await (const chunk of bytes) {
    total += chunk.byteLength
    if (total > TRANSCRIPT_BYTES_MAX) throw new TranscriptionError(`the transcript has more than ${TRANSCRIPT_BYTES_MAX} bytes`)
    text += decode(decoder, chunk)
  }
  return text + decode(decoder)
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    throw new TranscriptionError('the transcript is not in UTF-8', { cause })
  }
}
