import type { Media, Transcriber } from '../../domain/meeting_notes/media.ts'
import { decodeText } from '../../domain/meeting_notes/transcripts/parse_transcript.ts'
import { parseJsonTranscript } from '../../domain/meeting_notes/transcripts/parse_json.ts'
import { TranscriptionError, TRANSCRIPT_BYTES_MAX } from '../../domain/meeting_notes/transcripts/segment.ts'
import type { TranscriptionEndpoint } from '../../kernel/addresses.ts'
import { streamToChosenHost } from '../../outbound/stream_to_chosen_host.ts'

/** Milliseconds for a recording, from its first byte to the last one of its transcript. */
const PATIENCE_MS = 60 * 60_000

/** What it says of the recording, and says again if asked again: bad, too large, of a wrong type, or without speech. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422])

/**
 * Sends recordings to a service that makes text of them: a POST of the media with its type, the language as a parameter of the
 * address, answered with a transcript in the JSON form.
 */
export function transcriptionEndpoint({ url, key }: TranscriptionEndpoint, milliseconds = PATIENCE_MS): Transcriber {
  return {
    async transcribe(media, signal) {
      const { status, bytes } = await streamToChosenHost(
        {
          url: addressFor(url, media),
          headers: {
            'Content-Type': media.contentType,
            Accept: 'application/json',
            ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          },
          bytes: media.bytes(),
          byteLength: media.byteLength,
          milliseconds,
          bytesMax: 2 * TRANSCRIPT_BYTES_MAX,
        },
        signal,
      )
      if (status === 200) return parseJsonTranscript(await decodeText(bytes))
      // Read to its end, so that the connection is let go of; nobody looks at it.
      for await (const chunk of bytes) void chunk
      const refusal = `The transcription service answered ${status}.`
      throw REFUSALS.has(status) ? new TranscriptionError(refusal) : new Error(refusal)
    },
  }
}

function addressFor(url: string, { language }: Media): string {
  const address = new URL(url)
  if (language !== undefined) address.searchParams.set('language', language)
  return address.href
}
