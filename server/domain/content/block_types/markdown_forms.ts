import type { StateBlock } from 'markdown-it'
import type { BlockType, Color } from '../../../../generated/types.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import { iconOf } from '../markdown/parse/icon_of.ts'
import { addBlock, fieldsOf, parseBlockText, parseChildren, takeAttributes } from '../markdown/parse/parse_state.ts'
import { toRichText } from '../markdown/parse/to_rich_text.ts'
import { colorWord } from '../markdown/shared/color_words.ts'
import { escapeLineStart } from '../markdown/shared/escapes.ts'
import { markdownBlock, type BlockFields, type MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import { writeAttributes } from '../markdown/shared/tags.ts'
import { writeText } from '../markdown/write/write_text.ts'
import { splitPieces } from '../rich_text/split_text.ts'
import type {
  AnyNode,
  BlockWriter,
  CompareRules,
  ContentMaker,
  DraftRules,
  EnclosingTag,
  LoadRules,
  LoneTag,
  MarkdownRules,
  MarkdownView,
  NewContent,
} from './markdown_rules.ts'

export const loadsChildren: LoadRules = { children: 'always', isWhole: false, transcript: () => undefined }
/** For layout blocks, whose parts cannot be omitted individually. */
export const loadsWhole: LoadRules = { ...loadsChildren, isWhole: true }
export const loadsNothing: LoadRules = { ...loadsChildren, children: 'never' }

/** Blocks with equal content count as the same block. */
export const comparedByText: CompareRules = { isOpaque: () => false, isNamed: false, isFoundUnnamed: false, shape: () => 0 }
export const comparedByName: CompareRules = { ...comparedByText, isOpaque: () => true, isNamed: true }

/** A new block of the dialect becomes a block with its children. */
export function drafted(contents: DraftRules['contents'], form: DraftRules['form'] = () => 'block'): DraftRules {
  return { form, contents, isGrid: false, namesRecord: false }
}

/** For tags that keep an existing block but cannot create one. */
export const draftsNothing = drafted(
  () => [],
  () => 'nothing',
)

/** Defaults of most forms: the block is written as its own type and compared by content. Each form adds its syntax. */
export function ownForm<Type extends BlockType>(
  type: Type,
  load: LoadRules,
): Pick<MarkdownRules<Type>, 'readsAs' | 'load' | 'names' | 'line' | 'tags' | 'compare'> {
  return { readsAs: () => type, load, names: () => undefined, line: null, tags: {}, compare: comparedByText }
}

/**
 * A block with text, color and children.
 * @param fieldsOf the further fields of its line, from stored content
 * @param contentOf the content of a new block for these fields
 */
export function textForm<Type extends BlockType>(
  type: Type,
  fieldsOf: (content: StoredContent, view: MarkdownView) => BlockFields = () => ({}),
  contentOf: (fields: BlockFields) => object = () => ({}),
): Omit<MarkdownRules<Type>, 'write'> {
  return {
    ...ownForm(type, loadsChildren),
    present: (node, view) => presentText(type, node, view, fieldsOf(node.block.content, view)),
    draft: drafted((block, maker) => textContents(block, maker, contentOf(block.fields))),
  }
}

/** @param hasChildren whether indented lines below it are its children */
export function loneTag(parse: LoneTag['parse'], hasChildren = false): LoneTag {
  return { form: 'lone', hasChildren, parse }
}

/** A tag that, like its closing tag, is alone on its line and valid wherever blocks are; `rules` override this. */
export function enclosingTag(parse: EnclosingTag['parse'], rules: Partial<EnclosingTag> = {}): EnclosingTag {
  return { form: 'enclosing', trailing: 'nothing', hasColons: false, mayStand: () => true, parse, ...rules }
}

/** For types without a Markdown form. They appear as `<unknown>`, which keeps existing blocks but cannot create any. */
export const formless: MarkdownRules<never> = {
  ...ownForm('unsupported', loadsNothing),
  present: (node, view) => view.unknown(node),
  write: ({ fields: { url, alt } }, writer, depth) => writer.line(depth, `<unknown${writeAttributes({ url, alt })}/>`),
  compare: comparedByName,
  draft: draftsNothing,
}

/**
 * Adds a block of one line, with its attributes and the blocks indented below it.
 * @param own the further fields of its line
 * @param indent the required indentation of its children, if not one tab; Infinity for a block without children
 * @returns true, since the line matched
 */
export function addTextBlock(
  state: StateBlock,
  type: BlockType,
  attributed: ReturnType<typeof takeAttributes>,
  line: number,
  endLine: number,
  own: BlockFields = {},
  indent?: number,
): true {
  const children = parseChildren(state, type, line, endLine, indent)
  const text = parseBlockText(state, attributed.text)
  const fields = { ...own, ...fieldsOf(attributed) }
  return addBlock(state, markdownBlock(type, { text, fields, children, line }), state.line)
}

/** The text, color and children of a stored block, as a block of the dialect. `own` holds the further fields of its line. */
export function presentText(type: BlockType, { block, children }: AnyNode, view: MarkdownView, own: BlockFields): MarkdownBlock {
  const fields = { ...presentColor(block.content), ...own }
  return markdownBlock(type, { text: view.text(block.content['rich_text']), fields, children: view.list(children) })
}

export function presentColor(content: StoredContent): BlockFields {
  const color = content['color'] as Color | undefined
  return color === undefined || color === 'default' ? {} : { color }
}

export function presentIconField(content: StoredContent, view: MarkdownView): BlockFields {
  const icon = view.icon(content['icon'])
  return icon === undefined ? {} : { icon }
}

/** Writes a line of text after a marker, and the children below it. */
export function writeLine(marker: string, text: string, block: MarkdownBlock, writer: BlockWriter, depth: number): void {
  writer.line(depth, text === '' ? marker : `${marker} ${text}`)
  writer.list(block.children, depth + 1)
}

/** The text of a line with its attribute list. */
export function textLine({ text, fields }: MarkdownBlock): string {
  if (fields.color === undefined && !fields.toggle) return writeText(text)
  const attributes = writeAttributes({ toggle: fields.toggle ? 'true' : undefined, color: colorWord(fields.color) })
  return attributes === '' ? writeText(text) : `${writeText(text)} {${attributes.slice(1)}}`
}

/** Writes a tag around the children. @param label a line of text before the children */
export function writeContainer(
  name: string,
  attributes: string,
  { children }: Pick<MarkdownBlock, 'children'>,
  writer: BlockWriter,
  depth: number,
  label?: string,
): void {
  writer.line(depth, `<${name}${attributes}>`)
  if (label !== undefined) writer.line(depth + 1, label)
  writer.list(children, depth + 1)
  writer.line(depth, `</${name}>`)
}

/** Writes a tag whose first line is the block's own text, followed by its children. */
export function writeLabeled(name: string, block: MarkdownBlock, writer: BlockWriter, depth: number): void {
  const { text, fields, children } = block
  const attributes = writeAttributes({ icon: fields.icon, color: colorWord(fields.color) })
  const label = escapeLineStart(writeText(text)) || (children.length > 0 ? '<empty-block/>' : undefined)
  writeContainer(name, attributes, block, writer, depth, label)
}

/** The content of blocks for a text: several if it is too long for one block. */
export function* textContents({ type, text, fields }: MarkdownBlock, maker: ContentMaker, own: object): Generator<NewContent> {
  const written = { color: fields.color ?? 'default', ...own }
  for (const rich_text of splitPieces(toRichText(text, maker.resolved))) yield maker.create(type, { ...written, rich_text })
}

/** Like `textContents`, with the icon. An icon that is a hosted file is kept. */
export function* iconContents(block: MarkdownBlock, maker: ContentMaker): Generator<NewContent> {
  const { icon } = block.fields
  const hosted = maker.hosted.icons.get(icon ?? '')
  for (const { type, content } of textContents(block, maker, { icon: iconOf(icon, maker.resolved) ?? null }))
    yield { type, content: hosted === undefined ? content : { ...content, icon: hosted } }
}
