import type { SpokenSegment } from './transcripts/segment.ts'

export interface Media {
  readonly contentType: string
  readonly byteLength: number
  /** The spoken language as a BCP 47 tag; undefined if it is unknown. */
  readonly language: string | undefined
  /** A new stream from the start for each call. */
  bytes(): AsyncIterable<Uint8Array>
}

export interface Transcriber {
  /**
   * @throws TranscriptionError if it can never be transcribed, another error if another attempt may succeed, or the reason of
   * `signal`
   */
  transcribe(media: Media, signal: AbortSignal): Promise<readonly SpokenSegment[]>
}

/** The input of a summary. */
export interface Conversation {
  readonly title: string
  /** The spoken language as a BCP 47 tag; undefined if it is unknown. */
  readonly language: string | undefined
  readonly segments: readonly Pick<SpokenSegment, 'speaker' | 'text'>[]
}

export interface Summary {
  readonly keyPoints: readonly string[]
  readonly actionItems: readonly string[]
  /** The tokens used. */
  readonly tokens: number
}

export interface Summarizer {
  /** @throws the reason of `signal` */
  summarize(conversation: Conversation, signal: AbortSignal): Promise<Summary>
}

export interface NoteTools {
  /** Undefined if the deployment has none. */
  readonly transcriber: Transcriber | undefined
  readonly summarizer: Summarizer
}
