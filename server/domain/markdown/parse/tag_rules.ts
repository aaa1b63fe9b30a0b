import type { StateBlock } from 'markdown-it'
import { isFileAddress } from '../shared/addresses.ts'
import { fieldsOf, parseChildren, readingOf, parseLevel, parseBlockText, type BlockRule } from './block_rules.ts'
import { lineText } from './parse_spans.ts'
import { parseTableRows } from './parse_table_rows.ts'
import { idOfAddress, parseAttributes, parseTag, type Attributes, type Tag } from '../shared/tags.ts'
import { READ_DEPTH_MAX, type BlockFields, type MarkdownBlock } from '../shared/markdown_block.ts'
import { parseColor } from '../shared/color_words.ts'

/** A tag at the start of a line, and what stands behind it. */
interface TagLine {
  readonly tag: Tag
  readonly rest: string
  readonly line: number
  /** The line of its closing tag, when it holds lines. */
  readonly end: number | undefined
}

const LONE_TAGS: ReadonlySet<string> = new Set([
  'empty-block',
  'table_of_contents',
  'unknown',
  'page',
  'database',
  'video',
  'audio',
  'file',
  'pdf',
])

/** Blocks that are written as tags. What is no whole tag of the dialect is left to the paragraph. */
export const tagRule: BlockRule = (state, line, endLine, silent) => {
  const tagLine = tagLineAt(state, line)
  if (!tagLine) return false
  const isLone = LONE_TAGS.has(tagLine.tag.name)
  if (!isLone && !holdsLines(state, tagLine)) return false
  if (silent) return !isLone || loneBlock(state, tagLine) !== undefined
  const block = isLone ? loneBlock(state, tagLine) : enclosingBlock(state, tagLine)
  if (!block) return false
  state.line = (isLone ? line : (tagLine.end ?? line)) + 1
  const children = tagLine.tag.name === 'empty-block' ? parseChildren(state, 'paragraph', line, endLine) : block.children
  const whole = { ...block, children }
  const reading = readingOf(state)
  if (tagLine.tag.name === 'tab') reading.tabItems.add(whole)
  reading.add(whole)
  return true
}

function tagLineAt(state: StateBlock, line: number): TagLine | undefined {
  const text = lineText(state, line)
  if (!text.startsWith('<')) return undefined
  const tagEnd = text.indexOf('>') + 1
  const tag = parseTag(text.slice(0, tagEnd))
  return tag && tag.form !== 'close' ? { tag, rest: text.slice(tagEnd), line, end: readingOf(state).spans.get(line) } : undefined
}

/** `::: callout {icon="🎯"}` … `:::` */
export const containerRule: BlockRule = (state, line, _endLine, silent) => {
  const opening = /^:::[ \t]*callout[ \t]*(?:\{([^}]*)\})?$/.exec(lineText(state, line))
  const reading = readingOf(state)
  const end = reading.spans.get(line)
  if (!opening || end === undefined || reading.depth >= READ_DEPTH_MAX) return false
  if (silent) return true
  const tag: Tag = { name: 'callout', attributes: parseAttributes(opening[1] ?? ''), form: 'open' }
  reading.add(labelled(state, 'callout', { tag, rest: '', line, end }, end))
  state.line = end + 1
  return true
}

function loneBlock(state: StateBlock, { tag, rest, line }: TagLine): MarkdownBlock | undefined {
  const { name, attributes } = tag
  const label = labelOf(tag, rest)
  if (label === undefined) return undefined
  const block = (type: MarkdownBlock['type'], fields: BlockFields, text = ''): MarkdownBlock => ({
    type,
    text: parseBlockText(state, text),
    fields,
    children: [],
    line,
  })
  const id = idOfAddress(attributes.get('url'))
  switch (name) {
    case 'empty-block':
      return label === '' ? block('paragraph', {}) : undefined
    case 'table_of_contents':
      return label === '' ? block('table_of_contents', colorFields(attributes)) : undefined
    case 'unknown':
      return label === '' ? block('unsupported', id === undefined ? {} : { id }) : undefined
    case 'page':
    case 'database':
      return id === undefined ? undefined : block(name === 'page' ? 'child_page' : 'child_database', { id }, label)
    case 'video':
    case 'audio':
    case 'file':
    case 'pdf': {
      const source = attributes.get('src') ?? ''
      return isFileAddress(source) ? block(name, { source }, label) : undefined
    }
    default:
      return undefined
  }
}

/** What stands between a tag and its end on the same line; undefined where the line does not end with it. */
function labelOf({ name, form }: Tag, rest: string): string | undefined {
  if (form === 'empty') return rest === '' ? '' : undefined
  const closing = `</${name}>`
  return rest.endsWith(closing) ? rest.slice(0, -closing.length) : undefined
}

function colorFields(attributes: Attributes): BlockFields {
  const color = parseColor(attributes.get('color') ?? '')
  return fieldsOf(color === undefined ? {} : { color })
}

function holdsLines(state: StateBlock, { tag, end }: TagLine): boolean {
  const { parent, depth } = readingOf(state)
  if (end === undefined || depth >= READ_DEPTH_MAX) return false
  if (tag.name === 'column') return parent === 'column_list'
  if (tag.name === 'tab') return parent === 'tab'
  return tag.name !== 'synced_block_reference' || idOfAddress(tag.attributes.get('url')) !== undefined
}

function enclosingBlock(state: StateBlock, tagLine: TagLine): MarkdownBlock | undefined {
  const {
    tag: { name, attributes },
    line,
    end = line,
  } = tagLine
  const id = idOfAddress(attributes.get('url'))
  const inside = (type: MarkdownBlock['type']): MarkdownBlock[] => parseLevel(state, type, line + 1, end, 0)
  switch (name) {
    case 'details':
      return toggleBlock(state, tagLine, end)
    case 'callout':
      return labelled(state, 'callout', tagLine, end)
    case 'columns':
      return {
        type: 'column_list',
        text: [],
        fields: {},
        children: wrapped(inside('column_list'), 'column', ({ type }) => type === 'column'),
        line,
      }
    case 'column':
      return { type: 'column', text: [], fields: widthFields(attributes), children: inside('column'), line }
    case 'tabs': {
      const { tabItems } = readingOf(state)
      return {
        type: 'tab',
        text: [],
        fields: {},
        children: wrapped(inside('tab'), 'paragraph', (block) => tabItems.has(block)),
        line,
      }
    }
    case 'tab':
      return labelled(state, 'paragraph', tagLine, end)
    case 'synced_block':
      return { type: 'synced_block', text: [], fields: id === undefined ? {} : { id }, children: inside('synced_block'), line }
    case 'synced_block_reference':
      return {
        type: 'synced_block',
        text: [],
        fields: { ...(id === undefined ? {} : { id }), alt: 'copy' },
        children: inside('synced_block'),
        line,
      }
    case 'meeting-notes':
      return { type: 'meeting_notes', text: [], fields: transcriptFields(state, line, end), children: [], line }
    case 'table':
      return tableBlock(state, tagLine, end)
    default:
      return undefined
  }
}

const SUMMARY = /^<summary>([^]*)<\/summary>$/

function toggleBlock(state: StateBlock, { tag, rest, line }: TagLine, end: number): MarkdownBlock {
  let first = line + 1
  while (first < end && state.isEmpty(first)) first += 1
  const below = rest === '' && first < end ? SUMMARY.exec(lineText(state, first))?.[1] : undefined
  const text = below ?? SUMMARY.exec(rest)?.[1] ?? ''
  const children = parseLevel(state, 'toggle', below === undefined ? line + 1 : first + 1, end, 0)
  return { type: 'toggle', text: parseBlockText(state, text), fields: colorFields(tag.attributes), children, line }
}

/** A tag whose first line, if it is plain text, is the block's own text. */
function labelled(state: StateBlock, type: 'callout' | 'paragraph', { tag, line }: TagLine, end: number): MarkdownBlock {
  const [first, ...others] = parseLevel(state, type, line + 1, end, 0)
  const label = first?.type === 'paragraph' ? first : undefined
  const icon = tag.attributes.get('icon')
  return {
    type,
    line,
    text: label?.text ?? [],
    fields: { ...label?.fields, ...colorFields(tag.attributes), ...(icon === undefined || icon === '' ? {} : { icon }) },
    children: label ? [...label.children, ...others] : first ? [first, ...others] : [],
  }
}

/** Columns hold nothing but columns, and tabs nothing but tabs: what stands between them gets one of its own. */
function wrapped(
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
      level.push({ type, text: [], fields: {}, children: loose, line: block.line })
    }
  }
  return level
}

function widthFields(attributes: Attributes): BlockFields {
  const ratio = Number(attributes.get('width_ratio') ?? Number.NaN)
  return ratio > 0 && ratio <= 1 ? { widthRatio: ratio } : {}
}

function transcriptFields(state: StateBlock, line: number, end: number): BlockFields {
  for (let at = line + 1; at < end; at += 1) {
    const text = lineText(state, at)
    const tag = text.startsWith('<transcript') ? parseTag(text) : undefined
    const id = idOfAddress(tag?.attributes.get('url'))
    if (id !== undefined) return { id }
  }
  return {}
}

function tableBlock(state: StateBlock, { tag, rest, line }: TagLine, end: number): MarkdownBlock | undefined {
  const source = end === line ? rest : `${rest}\n${state.getLines(line + 1, end + 1, 0, false)}`
  const rows = parseTableRows(source.replace(/<\/table>\s*$/, ''), line, (text) => parseBlockText(state, text))
  if (!rows) return undefined
  const fields: BlockFields = {
    ...(tag.attributes.get('header-row') === 'true' ? { columnHeader: true } : {}),
    ...(tag.attributes.get('header-column') === 'true' ? { rowHeader: true } : {}),
  }
  return { type: 'table', text: [], fields, children: rows, line }
}
