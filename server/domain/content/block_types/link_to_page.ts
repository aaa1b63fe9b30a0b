import type { LinkToPageContentRequest } from '../../../../generated/types.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { asStored, type ContentRules } from './content.ts'
import { formless } from './markdown_forms.ts'
import type { NamedRecord } from './markdown_rules.ts'
import { presentRecord } from './records.ts'

const content: ContentRules = {
  ...asStored,
  create(written, path, { references }) {
    const target = written as LinkToPageContentRequest
    if ('page_id' in target) return { type: 'page_id', page_id: references.add('page', target.page_id, `${path}.page_id`) }
    if ('database_id' in target)
      return { type: 'database_id', database_id: references.add('database', target.database_id, `${path}.database_id`) }
    return { type: 'comment_id', comment_id: references.add('comment', target.comment_id, `${path}.comment_id`) }
  },
  update: (_stored, written, path, notes) => content.create(written, path, notes),
}

/** @returns undefined for a link to a comment, which the dialect cannot express */
function targetOf({ page_id: page, database_id: database }: StoredContent): NamedRecord | undefined {
  if (typeof page === 'string') return { kind: 'page', id: page }
  return typeof database === 'string' ? { kind: 'database', id: database } : undefined
}

export const linkToPage: BlockTypeDefinition<'link_to_page'> = {
  ...plainBlock,
  content,
  children: noChildren,
  markdown: {
    ...formless,
    readsAs(stored) {
      const target = targetOf(stored)
      return target ? (target.kind === 'page' ? 'child_page' : 'child_database') : 'unsupported'
    },
    names: ({ content: stored }) => targetOf(stored),
    present(node, view) {
      const target = targetOf(node.block.content)
      return target ? presentRecord(target, view) : view.unknown(node)
    },
  },
}
