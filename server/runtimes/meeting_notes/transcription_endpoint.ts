import {
  decodeText,
  parseJsonTranscript,
  TranscriptionError,
  TRANSCRIPT_BYTES_MAX,
  type Media,
  type Transcriber,
} from '../../domain/agents/index.ts'
import type { TranscriptionEndpoint } from '../../kernel/addresses.ts'
import { streamToConfiguredHost } from '../../outbound/stream_to_configured_host.ts'

/** The time limit for a recording, in milliseconds, from its first byte to the last byte of its transcript. */
const TIMEOUT_MS = 60 * 60_000

/** Statuses for which another attempt would be useless: the recording is invalid, too large, of the wrong type, or without speech. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422])

/**
 * Sends recordings to a transcription service: POSTs the media with its content type, and the language as a query parameter. The response
 * is a transcript in the JSON form that `parseJsonTranscript` reads.
 */
export function transcriptionEndpoint({ url, key }: TranscriptionEndpoint, milliseconds = TIMEOUT_MS): Transcriber {
  return {
    async transcribe(media, signal) {
      const { status, bytes } = await streamToConfiguredHost(
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
      // Read to the end, so that the connection can be reused.
      for await (const chunk of bytes) void chunk
      const refusal = `The transcription service responded with ${status}.`
      throw REFUSALS.has(status) ? new TranscriptionError(refusal) : new Error(refusal)
    },
  }
}

function addressFor(url: string, { language }: Media): string {
  const address = new URL(url)
  if (language !== undefined) address.searchParams.set('language', language)
  return address.href
}
