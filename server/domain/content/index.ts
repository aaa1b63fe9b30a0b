export { blockTypes, definitionOf, isPageOrDatabase } from './block_types/index.ts'
export type { ShowFacts } from './block_types/markdown_rules.ts'
export { parseLanguage } from './block_types/parse_language.ts'
export {
  editedIds,
  requireEditable,
  requireFound,
  requireLiveAncestors,
  requireMayEdit,
  requireNotTrashed,
  requireOpen,
  requireVisible,
} from './blocks/access.ts'
export {
  appendBlockChildren,
  deleteBlock,
  listBlockChildren,
  moveToTrash,
  placeBelow,
  requireOriginals,
  retrieveBlock,
} from './blocks/blocks.ts'
export { joinedNames, NEW_DATABASE } from './blocks/database_names.ts'
export { erasePage, sweepErased } from './blocks/erase_page.ts'
export { findRecord, type FoundRecord } from './blocks/find_record.ts'
export { contentOfCopiedNote, noteContent, type NoteContent } from './blocks/note_content.ts'
export { readPageTree, type PageEntry, type PageTree } from './blocks/page_tree.ts'
export { requireIsPage, requirePage, requirePageToEdit } from './blocks/page_access.ts'
export {
  draftBlocks,
  insertDrafts,
  newRow,
  placeAtEnd,
  requireFit,
  rowsOfDrafts,
  storedNow,
  type Draft,
  type Place,
} from './blocks/plan.ts'
export { databasesAround, parentsAround, presentBlock, presentBlocks, presentEdits, presentParent } from './blocks/present.ts'
export { readTree, type TreeLimits, type BlockTree } from './blocks/read_tree.ts'
export { updateBlock } from './blocks/update.ts'
export {
  createComment,
  deleteComment,
  listComments,
  listOpenComments,
  retrieveComment,
  updateComment,
} from './comments/comments.ts'
export type { StoredDisplayName } from './comments/display_name.ts'
export { draftText } from './comments/text.ts'
export { listCustomEmojis } from './custom_emojis.ts'
export { presentCover, presentIcon, storeCover, storeIcon, type StoredCover, type StoredIcon } from './icons.ts'
export { prepareMarkdown, requireMarkdownPage, retrievePageMarkdown, updatePageMarkdown } from './markdown/page_markdown.ts'
export { codeSpans } from './markdown/parse/code_spans.ts'
export { draftMarkdown, parseMarkdown, type DraftedMarkdown, type PageContent } from './markdown/parse/draft_markdown.ts'
export { parsePart } from './markdown/parse/parse_blocks.ts'
export { isFileAddress, isLinkAddress } from './markdown/shared/addresses.ts'
export { parseColor } from './markdown/shared/color_words.ts'
export { Equations, EXPRESSION_LENGTH_MAX, writtenEquation } from './markdown/shared/equations.ts'
export {
  joinTexts,
  markdownBlock,
  type BlockFields,
  type Inline,
  type InlineObject,
  type MarkdownBlock,
  type TextMarks,
} from './markdown/shared/markdown_block.ts'
export { escapeAttribute, idOfAddress } from './markdown/shared/tags.ts'
export { iconWord } from './markdown/write/icon_word.ts'
export { eachNode, loadTree, type LoadedNode } from './markdown/write/load_tree.ts'
export { MarkdownPresenter } from './markdown/write/markdown_presenter.ts'
export { factsOfTree } from './markdown/write/render_block.ts'
export { writeBlocks, writerOfLevel } from './markdown/write/write_blocks.ts'
export { writeText } from './markdown/write/write_text.ts'
export { ReferenceList, requireReferences, requireStillThere } from './references.ts'
export type { Facts } from './rich_text/facts.ts'
export { richTextOf } from './rich_text/from_text.ts'
export { filesIn, gatherFacts, plainTitles, type FactScope } from './rich_text/gather.ts'
export { plainText, presentRichText, presentWithFewNames } from './rich_text/present.ts'
export { PIECES_MAX, splitPieces, splitText } from './rich_text/split_text.ts'
export { storeRichText } from './rich_text/store_rich_text.ts'
export { fullAnnotations, type StoredMention, type StoredRichText } from './rich_text/stored.ts'
