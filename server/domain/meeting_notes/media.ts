import type { SpokenSegment } from './transcripts/segment.ts'

/** A recording as it was uploaded. */
export interface Media {
  readonly contentType: string
  readonly byteLength: number
  /** What is spoken, as a BCP 47 tag; undefined where nobody said. */
  readonly language: string | undefined
  /** From the beginning, each time it is called. */
  bytes(): AsyncIterable<Uint8Array>
}

/** What makes text of sound. */
export interface Transcriber {
  /**
   * @throws TranscriptionError when there will never be a transcript of this, another error when another attempt may succeed, or the
   * reason of `signal`
   */
  transcribe(media: Media, signal: AbortSignal): Promise<readonly SpokenSegment[]>
}

/** What was said, for a summary. */
export interface Conversation {
  readonly title: string
  /** What is spoken, as a BCP 47 tag; undefined where nobody said. */
  readonly language: string | undefined
  readonly segments: readonly Pick<SpokenSegment, 'speaker' | 'text'>[]
}

export interface Summary {
  readonly keyPoints: readonly string[]
  readonly actionItems: readonly string[]
  /** That it took. */
  readonly tokens: number
}

export interface Summariser {
  /** @throws the reason of `signal` */
  summarise(conversation: Conversation, signal: AbortSignal): Promise<Summary>
}

export interface NoteTools {
  /** Undefined where nothing makes text of sound. */
  readonly transcriber: Transcriber | undefined
  readonly summariser: Summariser
}
