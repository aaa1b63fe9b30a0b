import type { MarkdownIt, StateInline, Token } from 'markdown-it'
import { addressInAngles, isLinkAddress, parseDestination, withEncodedBlanks } from '../shared/addresses.ts'
import { NextPlaces } from '../shared/next_places.ts'
import { BareAddresses } from './bare_addresses.ts'
import { bracketPairs } from './code_spans.ts'
import { Equations } from '../shared/equations.ts'
import { isClockTime, unescapeText } from '../shared/escapes.ts'
import { note, type Note } from './parse_inline.ts'
import { runAt, spanMarks } from './delimiter_runs.ts'
import { parseInside } from './tokenize_inline.ts'
import { idOfAddress, parseTag, TAG_LENGTH_MAX, type Tag } from '../shared/tags.ts'
import { MENTION_TAGS, type InlineObject, type MentionKind } from '../shared/markdown_block.ts'
import { parseDateAttributes } from '../shared/date_attributes.ts'

/** Cached searches of one text. Rules run at every character and must not search it again. */
class Lookups {
  brackets: Map<number, number> | undefined
  equations: Equations | undefined
  addresses: BareAddresses | undefined
  readonly places = new NextPlaces()
}

const lookups = new WeakMap<StateInline, Lookups>()

function lookupsOf(state: StateInline): Lookups {
  const known = lookups.get(state) ?? new Lookups()
  lookups.set(state, known)
  return known
}

/** Parses the inline syntax of the dialect. Text, escapes and code spans are parsed by the library's own rules. */
function inlineRule(state: StateInline, silent: boolean): boolean {
  if (silent) return false
  switch (state.src[state.pos]) {
    case '*':
    case '_':
    case '~':
      return runRule(state)
    case '[':
      return linkRule(state)
    case '!':
      return imageMarkRule(state)
    case '<':
      return tagRule(state) || anglesRule(state)
    case '$':
      return equationRule(state)
    case ':':
      return addressRule(state) || emojiRule(state)
    default:
      return false
  }
}

function push(state: StateInline, content: string, what: Note): Token {
  const token = state.push('dialect', '', 0)
  token.content = content
  note(token, what)
  return token
}

function runRule(state: StateInline): boolean {
  const { src, pos: start, posMax } = state
  let end = start
  while (end < posMax && src[end] === src[start]) end += 1
  push(state, src.slice(start, end), { is: 'run', run: runAt(src.slice(0, posMax), start, end) })
  state.pos = end
  return true
}

function bracketEnd(state: StateInline, open: number): number | undefined {
  const found = lookupsOf(state)
  found.brackets ??= bracketPairs(state.src)
  return found.brackets.get(open)
}

function linkRule(state: StateInline): boolean {
  const { src, pos: open } = state
  const close = state.linkLevel > 0 ? undefined : bracketEnd(state, open)
  if (close === undefined || close >= state.posMax) return false
  if (src[open + 1] === '^') return citationRule(state, close)
  const target = linkTarget(src, close)
  if (!target) return false
  push(state, '', { is: 'link', url: target.url })
  if (close === open + 1) state.push('text', '', 0).content = target.url
  parseInside(state, open + 1, close, () => {
    push(state, '', { is: 'link end' })
    state.pos = target.end
  })
  return true
}

function linkTarget(src: string, close: number): { readonly url: string; readonly end: number } | undefined {
  const target = src[close + 1] === '(' ? parseDestination(src, close + 1) : undefined
  return target && isLinkAddress(target.url) ? target : undefined
}

/** `[^address]` is parsed as a link to the address. */
function citationRule(state: StateInline, close: number): boolean {
  const url = unescapeText(state.src.slice(state.pos + 2, close))
  if (!isLinkAddress(url) || url !== withEncodedBlanks(url)) return false
  pushLink(state, url)
  state.pos = close + 1
  return true
}

function pushLink(state: StateInline, url: string, text = url): void {
  push(state, '', { is: 'link', url })
  state.push('text', '', 0).content = text
  push(state, '', { is: 'link end' })
}

/** An image inside a line is parsed as a link to it. */
function imageMarkRule(state: StateInline): boolean {
  const { src, pos } = state
  const close = src[pos + 1] === '[' && state.linkLevel === 0 ? bracketEnd(state, pos + 1) : undefined
  if (close === undefined || close >= state.posMax || !linkTarget(src, close)) return false
  state.pos += 1
  return true
}

function equationRule(state: StateInline): boolean {
  const found = lookupsOf(state)
  found.equations ??= new Equations(state.src)
  const equation = found.equations.at(state.pos)
  if (!equation || equation.end > state.posMax) return dollarsRule(state)
  push(state, '', { is: 'object', object: { type: 'equation', expression: equation.expression } })
  state.pos = equation.end
  return true
}

/** Parses dollar signs that do not open an equation. If one does not, neither do those directly after it. */
function dollarsRule(state: StateInline): boolean {
  do {
    state.pending += '$'
    state.pos += 1
  } while (state.src[state.pos] === '$' && state.pos < state.posMax)
  return true
}

/** A bare `https://` address becomes a link to itself. */
function addressRule(state: StateInline): boolean {
  const { src, pos } = state
  // An escape ends the pending text, so the scheme in it is literal.
  if (state.linkLevel > 0 || state.pending.length < 'https'.length) return false
  const found = lookupsOf(state)
  found.addresses ??= new BareAddresses(src)
  const end = found.addresses.end(pos, state.posMax)
  if (end === undefined) return false
  state.pending = state.pending.slice(0, -'https'.length)
  pushLink(state, src.slice(pos - 'https'.length, end))
  state.pos = end
  return true
}

/** `<https://…>` and `<name@host>` are links. */
function anglesRule(state: StateInline): boolean {
  const found = state.linkLevel > 0 ? undefined : addressInAngles(state.src, state.pos)
  if (!found || found.end > state.posMax) return false
  pushLink(state, found.url, found.text)
  state.pos = found.end
  return true
}

const EMOJI = /:([\p{L}\p{M}\p{N}_+-]{1,100}):/uy

function emojiRule(state: StateInline): boolean {
  const { src, pos } = state
  if (isClockTime(src, pos)) return false
  EMOJI.lastIndex = pos
  const [whole, name] = EMOJI.exec(src) ?? []
  if (whole === undefined || name === undefined || pos + whole.length > state.posMax) return false
  push(state, '', { is: 'object', object: { type: 'emoji', name } })
  state.pos += whole.length
  return true
}

function tagRule(state: StateInline): boolean {
  const { src, pos } = state
  const end = lookupsOf(state).places.next('>', pos, (from) => src.indexOf('>', from))
  if (end >= state.posMax || end - pos > TAG_LENGTH_MAX) return false
  const tag = parseTag(src.slice(pos, end + 1))
  if (!tag) return false
  const written = src.slice(pos, end + 1)
  switch (tag.name) {
    case 'br':
      if (tag.form === 'close' || tag.attributes.size > 0) return false
      state.pending += '\n'
      break
    case 'span':
      if (tag.form === 'empty') return false
      if (tag.form === 'open') push(state, written, { is: 'span', outcomes: spanMarks(tag.attributes), state: 'open' })
      else push(state, written, { is: 'span end', start: undefined })
      break
    default:
      return mentionRule(state, tag, end + 1)
  }
  state.pos = end + 1
  return true
}

const MENTIONS = new Map(Object.entries(MENTION_TAGS).map(([kind, name]) => [name, kind as MentionKind]))

/** Rejects a tag that is not a mention before searching for its end, since a text may have very many tags that are never closed. */
function mentionRule(state: StateInline, tag: Tag, tagEnd: number): boolean {
  const mention = tag.form === 'close' ? undefined : mentionOf(tag)
  if (!mention) return false
  const { src, posMax } = state
  const closing = `</${tag.name}>`
  const labelEnd =
    tag.form === 'empty' ? tagEnd : lookupsOf(state).places.next(closing, tagEnd, (from) => src.indexOf(closing, from))
  if (labelEnd + (tag.form === 'empty' ? 0 : closing.length) > posMax) return false
  const label = unescapeText(src.slice(tagEnd, labelEnd)) || src.slice(state.pos, tagEnd)
  push(state, '', { is: 'object', object: mention.type === 'date' ? mention : { ...mention, label } })
  state.pos = tag.form === 'empty' ? tagEnd : labelEnd + closing.length
  return true
}

type UnlabeledMention = Extract<InlineObject, { type: 'date' }> | Omit<Extract<InlineObject, { type: 'mention' }>, 'label'>

function mentionOf({ name, attributes }: Tag): UnlabeledMention | undefined {
  if (name === 'mention-date') {
    const date = parseDateAttributes(attributes)
    return date && { type: 'date', date }
  }
  const kind = MENTIONS.get(name)
  const id = kind && idOfAddress(attributes.get('url'))
  return kind === undefined || id === undefined ? undefined : { type: 'mention', kind, id }
}

/** Makes the library parse the inline part of the dialect. */
export function addInlineRules(markdownIt: MarkdownIt): void {
  markdownIt.inline.ruler.push('dialect', inlineRule)
  markdownIt.inline.ruler.enableOnly(['text', 'escape', 'backticks', 'dialect'])
  markdownIt.inline.ruler2.enableOnly([])
}
