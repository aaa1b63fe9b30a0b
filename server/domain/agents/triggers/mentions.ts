/** Whether stored content contains a mention of a user, at any depth. */
export function mentions(content: unknown, userId: string): boolean {
  if (Array.isArray(content)) return content.some((part) => mentions(part, userId))
  if (typeof content !== 'object' || content === null) return false
  if ('mention' in content && isOf(content.mention, userId)) return true
  return Object.values(content).some((part) => mentions(part, userId))
}

function isOf(mention: unknown, userId: string): boolean {
  if (typeof mention !== 'object' || mention === null || !('user' in mention)) return false
  const { user } = mention
  return typeof user === 'object' && user !== null && 'id' in user && user.id === userId
}

/** The text of stored rich text, without its mentions. */
export function plainTextOf(richText: unknown): string {
  if (!Array.isArray(richText)) return ''
  return (richText as readonly { readonly text?: { readonly content?: string } }[])
    .map(({ text }) => text?.content ?? '')
    .join('')
    .trim()
}
