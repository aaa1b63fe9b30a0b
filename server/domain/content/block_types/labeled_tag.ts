import type { BlockType } from '../../../../generated/types.ts'
import { colorFields, parseLevel } from '../markdown/parse/parse_state.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { enclosingTag } from './markdown_forms.ts'
import type { EnclosingTag } from './markdown_rules.ts'

/** A tag whose first line is the block's own text if it is plain text. */
export function labeledTag(
  type: BlockType,
  rules: Pick<EnclosingTag, 'hasColons'> | Pick<EnclosingTag, 'mayStand'>,
): EnclosingTag {
  return enclosingTag((state, { tag, line }, end) => {
    const [first, ...others] = parseLevel(state, type, line + 1, end, 0)
    const label = first?.type === 'paragraph' ? first : undefined
    const icon = tag.attributes.get('icon')
    const fields = { ...label?.fields, ...colorFields(tag.attributes), ...(icon === undefined || icon === '' ? {} : { icon }) }
    const children = label ? [...label.children, ...others] : first ? [first, ...others] : []
    return markdownBlock(type, { text: label?.text ?? [], fields, children, line })
  }, rules)
}
