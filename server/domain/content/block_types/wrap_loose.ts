import { markdownBlock, type MarkdownBlock } from '../markdown/shared/markdown_block.ts'

/** Column lists contain only columns, and tab groups only tabs: loose blocks between them are wrapped in one of their own. */
export function wrapLoose(
  blocks: readonly MarkdownBlock[],
  type: 'column' | 'paragraph',
  isItem: (block: MarkdownBlock) => boolean,
): MarkdownBlock[] {
  const level: MarkdownBlock[] = []
  let loose: MarkdownBlock[] | undefined
  for (const block of blocks) {
    if (isItem(block)) {
      loose = undefined
      level.push(block)
    } else if (loose) {
      loose.push(block)
    } else {
      loose = [block]
      level.push(markdownBlock(type, { children: loose, line: block.line }))
    }
  }
  return level
}
