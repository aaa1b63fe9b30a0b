import type { MarkdownIt, StateBlock } from 'markdown-it'
import type { EnclosingTag, LoneTag, TagLine } from '../../block_types/markdown_rules.ts'
import { blockTypes } from '../../block_types/index.ts'
import { parseParagraph } from '../../block_types/paragraph.ts'
import { PARSE_DEPTH_MAX } from '../shared/markdown_block.ts'
import { parseAttributes, parseTag, type Tag } from '../shared/tags.ts'
import { addBlock, lineText, parseChildren, parseStateOf, type BlockRule } from './parse_state.ts'

/** The tags of all block types, by name. */
export const TAGS: ReadonlyMap<string, LoneTag | EnclosingTag> = new Map(
  Object.values(blockTypes).flatMap(({ markdown }) => Object.entries(markdown.tags)),
)

/** Parses blocks written as tags. A line that does not contain a complete tag of the dialect is a paragraph. */
const tagRule: BlockRule = (state, line, endLine, silent) => {
  const found = tagLineAt(state, line)
  const syntax = found && TAGS.get(found.tag.name)
  if (!syntax) return false
  if (syntax.form === 'enclosing') return encloses(state, syntax, found, silent)
  const label = labelOf(found)
  const block = label === undefined ? undefined : syntax.parse(state, found, label)
  if (!block || silent) return block !== undefined
  state.line = line + 1
  const children = syntax.hasChildren ? parseChildren(state, block.type, line, endLine) : block.children
  parseStateOf(state).add({ ...block, children })
  return true
}

function tagLineAt(state: StateBlock, line: number): TagLine | undefined {
  const text = lineText(state, line)
  const tagEnd = text.indexOf('>') + 1
  const tag = parseTag(text.slice(0, tagEnd))
  return tag && tag.form !== 'close' ? { tag, rest: text.slice(tagEnd), line } : undefined
}

/** The text between a tag and its closing tag; undefined if the line does not end with the closing tag. */
function labelOf({ tag: { name, form }, rest }: TagLine): string | undefined {
  if (form === 'empty') return rest === '' ? '' : undefined
  const closing = `</${name}>`
  return rest.endsWith(closing) ? rest.slice(0, -closing.length) : undefined
}

function encloses(state: StateBlock, { mayStand, parse }: EnclosingTag, line: TagLine, silent: boolean): boolean {
  const { spans, depth, parent } = parseStateOf(state)
  const end = spans.get(line.line)
  if (end === undefined || depth >= PARSE_DEPTH_MAX || !mayStand(line.tag, parent)) return false
  if (silent) return true
  const block = parse(state, line, end)
  return block !== undefined && addBlock(state, block, end + 1)
}

const COLONS = /^:::[ \t]*([a-z]+)[ \t]*(?:\{([^}]*)\})?$/

/** Parses `::: callout {icon="🎯"}` … `:::`. */
const colonsRule: BlockRule = (state, line, _endLine, silent) => {
  const [, name = '', attributes = ''] = COLONS.exec(lineText(state, line)) ?? []
  const syntax = TAGS.get(name)
  if (syntax?.form !== 'enclosing' || !syntax.hasColons) return false
  const tag: Tag = { name, attributes: parseAttributes(attributes), form: 'open' }
  return encloses(state, syntax, { tag, rest: '', line }, silent)
}

/** Rules by the first character of the line. For most lines, this alone shows that they are paragraphs. */
const rulesByFirst = new Map<string, Set<BlockRule>>([
  ['<', new Set([tagRule])],
  [':', new Set([colonsRule])],
])
for (const { markdown } of Object.values(blockTypes)) {
  const { first, parse } = markdown.line ?? { first: '', parse: tagRule }
  for (const character of first) rulesByFirst.set(character, (rulesByFirst.get(character) ?? new Set()).add(parse))
}

const lineRule: BlockRule = (state, line, endLine, silent) => {
  const rules = rulesByFirst.get(state.src[(state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)] ?? '')
  if (rules) for (const rule of rules) if (rule(state, line, endLine, silent)) return true
  return false
}

/** Registers the block rules of the dialect. A line that no rule accepts is a paragraph. */
export function addBlockRules(markdownIt: MarkdownIt): void {
  const rules = [['dialect_line', lineRule] as const, ['dialect_paragraph', parseParagraph] as const]
  for (const [name, rule] of rules) markdownIt.block.ruler.push(name, rule)
  markdownIt.block.ruler.enableOnly(rules.map(([name]) => name))
}
