import type { MarkdownBlock } from '@workspace-service/server/domain/content/index.ts'

/** Blocks as a text with children: the first paragraph is the text. */
export function labeled(blocks: readonly MarkdownBlock[]): Pick<MarkdownBlock, 'text' | 'children'> {
  const [first, ...others] = blocks
  return first?.type === 'paragraph'
    ? { text: first.text, children: [...first.children, ...others] }
    : { text: [], children: blocks }
}
