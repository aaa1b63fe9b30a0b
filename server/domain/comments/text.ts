import type { UpdateCommentRequest } from '../../../generated/types.ts'
import { inSlices, type SlicedWork } from '../../kernel/yield_to_event_loop.ts'
import { invalid } from '../failures.ts'
import { parseInlineText } from '../markdown/parse/parse_blocks.ts'
import { resolveReferences } from '../markdown/parse/resolve_references.ts'
import { gatherInline } from '../markdown/parse/gather_references.ts'
import { toRichText } from '../markdown/parse/to_rich_text.ts'
import { ReferenceList, requireReferences } from '../references.ts'
import { PIECES_MAX } from '../rich_text/split_text.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { storeRichText } from '../rich_text/store_rich_text.ts'
import type { Scope, WriteScope } from '../scope.ts'

/** The text of a comment before its references are looked up. */
interface DraftText {
  /**
   * Checks that everything that the text refers to exists. In Markdown, missing references become text.
   * @throws ServiceError `object_not_found`; `validation_error` if the result is empty or too long
   */
  resolve(scope: WriteScope): Promise<StoredRichText>
}

/** @throws ServiceError `validation_error` for rich text that is empty or invalid */
export function draftText({ rich_text: items, markdown }: Pick<UpdateCommentRequest, 'rich_text' | 'markdown'>): DraftText {
  if (markdown !== undefined) return { resolve: (scope) => resolveMarkdown(scope, markdown) }
  const references = new ReferenceList()
  const stored = storeRichText(items ?? [], 'body.rich_text', references)
  if (stored.length === 0) throw invalid('body.rich_text', 'should hold at least one item that is not empty')
  return {
    async resolve(scope) {
      await requireReferences(scope, references)
      return stored
    },
  }
}

async function resolveMarkdown(scope: Scope, markdown: string): Promise<StoredRichText> {
  const inlines = await inSlices(parseInlineText(markdown))
  const items = await inSlices(collected(toRichText(inlines, await resolveReferences(scope, gatherInline(inlines)))))
  if (items.length > PIECES_MAX)
    throw invalid('body.markdown', `should become ≤ ${PIECES_MAX} items of rich text, instead became ${items.length}`)
  const stored = storeRichText(items, 'body.markdown', new ReferenceList())
  if (stored.length === 0) throw invalid('body.markdown', 'should hold some text')
  return stored
}

function* collected<Item>(items: Iterable<Item>): SlicedWork<Item[]> {
  const list: Item[] = []
  for (const item of items) {
    list.push(item)
    yield
  }
  return list
}
