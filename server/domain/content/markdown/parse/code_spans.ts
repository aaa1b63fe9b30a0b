import { CodeSpans } from '../shared/code_runs.ts'
import { Equations } from '../shared/equations.ts'
import { BareAddresses } from './bare_addresses.ts'

/** The code spans of a text, as offsets from the first backtick to after the last. */
export function* codeSpans(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const spans = new CodeSpans(text)
  for (let start = 0; start < text.length;) {
    const code = text.charCodeAt(start)
    const end = code === 96 ? spans.end(start) : undefined
    if (end !== undefined) yield { start, end }
    start = end ?? (code === 92 ? start + 2 : code === 96 ? spans.runEnd(start) : start + 1)
  }
}

/** Matches the address of a link. Dollar signs in it, or in a bare address, do not begin an equation. */
const TARGET = /\]\((?:[^\s()\\]|\\.|\([^\s()]*\)){0,3000}/y

/**
 * Calls `visit` for each character that is outside code spans and not escaped. Code spans do not begin inside equations.
 * @param visit receives `isInEquation` for characters between the fences of an equation
 */
export function eachPlain(text: string, visit: (code: number, position: number, isInEquation: boolean) => void): void {
  const spans = new CodeSpans(text)
  const equations = new Equations(text)
  const addresses = new BareAddresses(text)
  let [equationEnd, addressEnd] = [0, 0]
  for (let position = 0; position < text.length;) {
    const code = text.charCodeAt(position)
    if (code === 92) {
      position += 2
    } else if (code === 96 && position >= equationEnd) {
      position = spans.end(position) ?? spans.runEnd(position)
    } else {
      if (code === 93 && position >= addressEnd) addressEnd = endOfMatch(TARGET, text, position)
      else if (code === 58 && position >= addressEnd) addressEnd = addresses.end(position) ?? 0
      else if (
        code === 36 &&
        position >= Math.max(equationEnd, addressEnd) &&
        (text[position - 1] !== '$' || position === equationEnd)
      )
        equationEnd = equations.at(position)?.end ?? 0
      visit(code, position, position < equationEnd)
      position += 1
    }
  }
}

function endOfMatch(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(text) ? pattern.lastIndex : 0
}

/** Maps each `[` to its `]`. @param skipsEquations whether to ignore brackets inside equations */
export function bracketPairs(text: string, skipsEquations = false): Map<number, number> {
  const pairs = new Map<number, number>()
  if (!text.includes('](') && !text.includes('[^')) return pairs
  const open: number[] = []
  eachPlain(text, (code, position, isInEquation) => {
    if (isInEquation && skipsEquations) return
    if (code === 91) open.push(position)
    else if (code === 93) {
      const start = open.pop()
      if (start !== undefined) pairs.set(start, position)
    }
  })
  return pairs
}
