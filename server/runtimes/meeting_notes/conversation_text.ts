import type { Conversation } from '../../domain/meeting_notes/media.ts'

/** The title and everything that was said, one line per segment. */
export function conversationText({ title, segments }: Conversation): string {
  const lines = segments.map(({ speaker, text }) => (speaker === undefined ? text : `${speaker}: ${text}`))
  return [title, ...lines].join('\n')
}
