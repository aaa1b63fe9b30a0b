import type { MarkdownIt, Token } from 'markdown-it'
import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { matchRun, type DelimitedMark, type DelimiterRun, type OpenMarks } from './delimiter_runs.ts'
import { tokenizeInline } from './tokenize_inline.ts'
import { sameMarks, type Inline, type InlineObject, type TextMarks } from '../shared/markdown_block.ts'

/** Data that our own rules attach to their tokens. */
export type Note =
  | { readonly is: 'run'; readonly run: DelimiterRun }
  /** `outcomes` is undefined for a tag that only looks like a span. */
  | { readonly is: 'span'; readonly outcomes: TextMarks | undefined; state: 'open' | 'closed' }
  | { readonly is: 'span end'; start: Extract<Note, { is: 'span' }> | undefined }
  | { readonly is: 'link'; readonly url: string }
  | { readonly is: 'link end' }
  | { readonly is: 'object'; readonly object: InlineObject }

export function note(token: Token, what: Note): void {
  token.meta = what
}

/** Only our own rules set `meta`. */
function isNote(meta: Token['meta'] | Note): meta is Note {
  return meta !== null && 'is' in meta
}

const PLAIN: TextMarks = {}
/** Matches where syntax may begin. A line without a match is plain text. */
const NEEDS_PARSING = /[\\*_~`$[<]|:(?:\/\/|[\p{L}\p{M}\p{N}_+-]{1,100}:)/u

export function* parseInline(markdownIt: MarkdownIt, text: string): SlicedWork<readonly Inline[]> {
  if (text === '') return []
  if (!NEEDS_PARSING.test(text)) return [{ type: 'text', text, outcomes: PLAIN }]
  const tokens: Token[] = []
  yield* tokenizeInline(new markdownIt.inline.State(text, markdownIt, {}, tokens))
  yield* pair(tokens)
  return yield* new InlineBuilder().build(tokens)
}

/** Pairs the delimiters of marks and spans. The text of a link is paired separately from the text around it. */
function* pair(tokens: readonly Token[]): SlicedWork<void> {
  const newScope = () => ({ open: new Map<string, OpenMarks>(), spans: [] as Extract<Note, { is: 'span' }>[] })
  const scopes = [newScope()]
  for (const token of tokens) {
    yield
    const what = token.meta
    const scope = scopes.at(-1)
    if (!isNote(what) || !scope) continue
    if (what.is === 'run') matchRun(what.run, scope.open)
    else if (what.is === 'span') scope.spans.push(what)
    else if (what.is === 'span end') {
      what.start = scope.spans.pop()
      if (what.start) what.start.state = 'closed'
    } else if (what.is === 'link') scopes.push(newScope())
    else if (what.is === 'link end') scopes.pop()
  }
}

class InlineBuilder {
  readonly #inlines: Inline[] = []
  /** The combined marks of the open spans, at each level. */
  readonly #spans: TextMarks[] = []
  readonly #outcomes: Record<DelimitedMark, number> = { strikethrough: 0, bold: 0, italic: 0 }
  #link: string | undefined
  #look: TextMarks = PLAIN

  #noted(token: Token, what: Note): void {
    switch (what.is) {
      case 'run':
        return this.#run(what.run)
      case 'span':
        if (what.state !== 'closed' || !what.outcomes) return this.#text(token.content, this.#look)
        this.#spans.push({ ...this.#spans.at(-1), ...what.outcomes })
        return this.#setLook()
      case 'span end':
        if (!what.start?.outcomes) return this.#text(token.content, this.#look)
        this.#spans.pop()
        return this.#setLook()
      case 'link':
        this.#link = what.url
        return
      case 'link end':
        this.#link = undefined
        return
      case 'object': {
        const link = what.object.type === 'emoji' && this.#link !== undefined ? { link: this.#link } : {}
        return void this.#inlines.push({ ...what.object, ...link, outcomes: this.#look })
      }
    }
  }

  *build(tokens: readonly Token[]): SlicedWork<readonly Inline[]> {
    for (const token of tokens) {
      yield
      if (isNote(token.meta)) this.#noted(token, token.meta)
      else if (token.type === 'code_inline') this.#text(token.content, { ...this.#look, code: true })
      else this.#text(token.content, this.#look)
    }
    return this.#inlines
  }

  #run({ character, delimiters }: DelimiterRun): void {
    for (const { mark, kind, width, paired } of delimiters) {
      if (kind === 'text' || !paired) {
        this.#text(character.repeat(width), this.#look)
      } else {
        this.#outcomes[mark] += kind === 'open' ? 1 : -1
        this.#setLook()
      }
    }
  }

  #setLook(): void {
    const { bold, italic, strikethrough } = this.#outcomes
    this.#look = {
      ...(bold > 0 ? { bold: true } : {}),
      ...(italic > 0 ? { italic: true } : {}),
      ...(strikethrough > 0 ? { strikethrough: true } : {}),
      ...this.#spans.at(-1),
    }
  }

  #text(text: string, outcomes: TextMarks): void {
    if (text === '') return
    const last = this.#inlines.at(-1)
    const link = this.#link
    if (last?.type === 'text' && last.link === link && sameMarks(last.outcomes, outcomes)) {
      this.#inlines[this.#inlines.length - 1] = { ...last, text: last.text + text }
    } else {
      this.#inlines.push(link === undefined ? { type: 'text', text, outcomes } : { type: 'text', text, link, outcomes })
    }
  }
}
