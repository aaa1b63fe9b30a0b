import type { Conversation } from '../../domain/agents/index.ts'

/** The title and all segments of the conversation, one per line. */
export function* conversationLines({ title, segments }: Conversation): Generator<string, void, undefined> {
  yield title
  for (const { speaker, text } of segments) yield speaker === undefined ? text : `${speaker}: ${text}`
}

/** The lines as one text; undefined if it has more than this many characters. */
export function conversationText(conversation: Conversation, lengthMax: number): string | undefined {
  const lines: string[] = []
  let length = -1
  for (const line of conversationLines(conversation)) {
    length += line.length + 1
    if (length > lengthMax) return undefined
    lines.push(line)
  }
  return lines.join('\n')
}
