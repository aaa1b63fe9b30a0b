/** Whether stored content holds rich text, at any depth, that mentions a user. */
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

/** What rich text says without its mentions, as it is stored. */
export function plainTextOf(richText: unknown): string {
  if (!Array.isArray(richText)) return ''
  return (richText as readonly { readonly text?: { readonly content?: string } }[])
    .map(({ text }) => text?.content ?? '')
    .join('')
    .trim()
}
