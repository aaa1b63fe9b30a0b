import { parseLevel } from '../markdown/parse/parse_state.ts'
import { markdownBlock, type MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { emptyContent } from './content.ts'
import { labeledTag } from './labeled_tag.ts'
import { drafted, enclosingTag, loadsWhole, ownForm, presentIconField, presentText, writeLabeled } from './markdown_forms.ts'
import type { AnyNode, EnclosingTag, MarkdownView } from './markdown_rules.ts'
import { wrapLoose } from './wrap_loose.ts'

const itemTag = labeledTag('paragraph', { mayStand: (_tag, parent) => parent === 'tab' })
/** Paragraphs that were parsed from `<tab>`. */
const items = new WeakSet<MarkdownBlock>()

const tabTag: EnclosingTag = {
  ...itemTag,
  parse(state, line, end) {
    const item = itemTag.parse(state, line, end)
    if (item) items.add(item)
    return item
  },
}

export const tab: BlockTypeDefinition<'tab'> = {
  ...plainBlock,
  content: emptyContent,
  children: { ...anyChildren, only: 'paragraph' },
  markdown: {
    ...ownForm('tab', loadsWhole),
    present: (node, view) => markdownBlock('tab', { children: node.children.map((item) => presentItem(item, view)) }),
    write({ children }, writer, depth) {
      writer.line(depth, '<tabs>')
      for (const item of children) writer.owned(item, () => writeLabeled('tab', item, writer, depth + 1))
      writer.line(depth, '</tabs>')
    },
    tags: {
      tabs: enclosingTag((state, { line }, end) => {
        const inside = parseLevel(state, 'tab', line + 1, end, 0)
        return markdownBlock('tab', { children: wrapLoose(inside, 'paragraph', (block) => items.has(block)), line })
      }),
      tab: tabTag,
    },
    draft: drafted(
      (_block, maker) => [maker.create('tab', {})],
      ({ children }) => (children.length === 0 ? 'nothing' : 'block'),
    ),
  },
}

function presentItem(node: AnyNode, view: MarkdownView): MarkdownBlock {
  if (node.isMissing) return view.block(node)
  return view.shows(node, presentText('paragraph', node, view, presentIconField(node.block.content, view)))
}
