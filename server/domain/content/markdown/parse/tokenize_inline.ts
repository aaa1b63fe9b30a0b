import type { StateInline } from 'markdown-it'
import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'

/** A part of a text that is parsed before the text after it, such as the text of a link. */
interface Inside {
  /** The end of the surrounding text. */
  readonly outerEnd: number
  /** Ends the link and moves behind it. */
  readonly onEnd: () => void
}

const insides = new WeakMap<StateInline, Inside>()

/** Makes `tokenizeInline` parse a part of the text separately, before it continues behind it. */
export function parseInside(state: StateInline, start: number, end: number, onEnd: () => void): void {
  insides.set(state, { outerEnd: state.posMax, onEnd })
  state.pos = start
  state.posMax = end
  state.linkLevel += 1
}

function endInside(state: StateInline, { outerEnd, onEnd }: Inside): void {
  insides.delete(state)
  state.linkLevel -= 1
  state.posMax = outerEnd
  onEnd()
}

/** Applies the library's inline rules to a text, in one step for each piece: a paragraph may be half a megabyte long. */
export function* tokenizeInline(state: StateInline): SlicedWork<void> {
  const rules = state.md.inline.ruler.getRules('')
  for (;;) {
    if (state.pos < state.posMax) {
      if (!rules.some((rule) => rule(state, false))) state.pending += state.src[state.pos++] ?? ''
      yield
      continue
    }
    if (state.pending !== '') state.pushPending()
    const inside = insides.get(state)
    if (!inside) return
    endInside(state, inside)
  }
}
