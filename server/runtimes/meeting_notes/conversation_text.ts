import type { Conversation } from '../../domain/meeting_notes/media.ts'

/** All that was said, a line for each segment. */
export function inputOf({ title, segments }: Conversation): string {
  const lines = segments.map(({ speaker, text }) => (speaker === undefined ? text : `${speaker}: ${text}`))
  return [title, ...lines].join('\n')
}
