import type { UpdateCommentRequest } from '../../../../generated/types.ts'
import { inSlices, type SlicedWork } from '../../../kernel/yield_to_event_loop.ts'
import { invalid, type Scope, type WriteScope } from '../../shared/index.ts'
import { parseInlineText } from '../markdown/parse/parse_blocks.ts'
import { resolveReferences } from '../markdown/parse/resolve_references.ts'
import { gatherInline } from '../markdown/parse/gather_references.ts'
import { toRichText } from '../markdown/parse/to_rich_text.ts'
import { ReferenceList, requireReferences, requireStillThere } from '../references.ts'
import { PIECES_MAX } from '../rich_text/split_text.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { storeRichText } from '../rich_text/store_rich_text.ts'

/** Runs work in a transaction that only reads. */
type Read = <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>

/** The text of a comment, before its references are checked. */
export interface DraftText {
  readonly stored: StoredRichText
  /**
   * Checks, in the transaction, that everything the text refers to still exists.
   * @throws ServiceError `object_not_found`; OutdatedError if a record was deleted since the draft was made
   */
  check(scope: WriteScope): Promise<void>
}

/**
 * Creates the text of a comment, which takes long for much Markdown and needs no transaction. In Markdown, missing references become text.
 * @throws ServiceError `validation_error` if it is empty, invalid or too long
 */
export async function draftText(
  read: Read,
  { rich_text: items, markdown }: Pick<UpdateCommentRequest, 'rich_text' | 'markdown'>,
): Promise<DraftText> {
  const references = new ReferenceList()
  if (markdown !== undefined) {
    const stored = await draftMarkdown(read, markdown, references)
    return { stored, check: (scope) => requireStillThere(scope, references) }
  }
  const stored = storeRichText(items ?? [], 'body.rich_text', references)
  if (stored.length === 0) throw invalid('body.rich_text', 'should contain at least one item that is not empty')
  return { stored, check: (scope) => requireReferences(scope, references) }
}

async function draftMarkdown(read: Read, markdown: string, references: ReferenceList): Promise<StoredRichText> {
  const inlines = await inSlices(parseInlineText(markdown))
  const resolved = await read((scope) => resolveReferences(scope, gatherInline(inlines)))
  const items = await inSlices(collected(toRichText(inlines, resolved)))
  if (items.length > PIECES_MAX)
    throw invalid('body.markdown', `should become ≤ ${PIECES_MAX} items of rich text, instead became ${items.length}`)
  const stored = storeRichText(items, 'body.markdown', references)
  if (stored.length === 0) throw invalid('body.markdown', 'should contain some text')
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
