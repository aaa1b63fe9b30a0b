import type { StateInline } from 'markdown-it'
import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'

/** The text of a link, which is parsed before the text after it. */
interface Inside {
  /** The end of the text around it. */
  readonly outerEnd: number
  /** Ends the link, and continues after it. */
  readonly onEnd: () => void
}

const insides = new WeakMap<StateInline, Inside>()

/** Makes `tokenizeInline` parse a part of the text separately. */
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

/** Applies the inline rules of the library to a text, which may be one paragraph of half a megabyte: a step for each piece of it. */
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
