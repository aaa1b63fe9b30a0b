import { RE2JS, type Matcher } from 're2js'
import type { Budget } from './budget.ts'
import { Unsupported } from './failures.ts'
import { PATTERN_LENGTH_MAX } from './limits.ts'

/** Units of text times instructions of the pattern that one search may meet; the slowest need about 50 nanoseconds for each. */
const SEARCH_MAX = 2_000_000
const KEPT_MAX = 100

const compiledPatterns = new Map<string, RE2JS | null>()

/**
 * A pattern in the ECMAScript dialect, made ready for an engine whose searches take time in proportion to the text; null when it
 * is not valid, or asks for what no such engine can do (lookahead, back references).
 */
export function compilePattern(pattern: string, budget: Budget): RE2JS | null {
  const kept = compiledPatterns.get(pattern)
  if (kept !== undefined) return kept
  const start = performance.now()
  const compiled = pattern.length > PATTERN_LENGTH_MAX ? null : compileNew(pattern)
  if (compiledPatterns.size >= KEPT_MAX) compiledPatterns.delete(compiledPatterns.keys().next().value ?? '')
  compiledPatterns.set(pattern, compiled)
  budget.spendTime(performance.now() - start)
  return compiled
}

function compileNew(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(withFullSpaces(RE2JS.translateRegExp(pattern)), RE2JS.LOOKBEHINDS)
  } catch {
    return null
  }
}

const SPACES = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'

/** The engine's own `\s` knows the spaces of ASCII only. */
function withFullSpaces(pattern: string): string {
  let isInClass = false
  return pattern.replace(/\\?[^]/gu, (part) => {
    if (part === '[') isInClass = true
    else if (part === ']') isInClass = false
    else if (part === '\\s') return isInClass ? SPACES : `[${SPACES}]`
    else if (part === '\\S' && !isInClass) return `[^${SPACES}]`
    return part
  })
}

/** Whether the pattern is found in the text. */
export function isFound(pattern: RE2JS, text: string, budget: Budget): boolean {
  return timed(pattern, text, budget, () => pattern.test(text))
}

/** Every match from left to right, or the first only. The matcher stands on the match while the caller has it. */
export function* matchesOf(pattern: RE2JS, text: string, budget: Budget): Generator<Matcher> {
  const matcher = pattern.matcher(text)
  while (timed(pattern, text, budget, () => matcher.find())) yield matcher
}

/** Small searches cost little each, but text that is searched again and again from every place does not: each pays its own time. */
function timed(pattern: RE2JS, text: string, budget: Budget, search: () => boolean): boolean {
  if (text.length * pattern.programSize() > SEARCH_MAX) throw new Unsupported('a regular expression is too costly for its text')
  budget.spend(1)
  const start = performance.now()
  const isFoundNow = search()
  budget.spendTime(performance.now() - start)
  return isFoundNow
}

/** The replacement of one match: `$1` to `$99` and `$<name>` are groups, `$&` the match, `$$` a dollar. */
export function expandReplacement(matcher: Matcher, replacement: string): string {
  if (!replacement.includes('$')) return replacement
  const groups = matcher.groupCount()
  return replacement.replace(
    /\$(?:([$&])|(\d)(\d)?|<([A-Za-z_]\w*)>)/g,
    (whole, sign?: string, first?: string, second?: string, name?: string) => {
      if (sign !== undefined) return sign === '$' ? '$' : (matcher.group() ?? '')
      if (name !== undefined) return Object.hasOwn(matcher.namedGroups, name) ? (matcher.group(name) ?? '') : whole
      const two = Number(`${first}${second ?? ''}`)
      if (two >= 1 && two <= groups) return matcher.group(two) ?? ''
      const one = Number(first)
      return one >= 1 && one <= groups ? `${matcher.group(one) ?? ''}${second ?? ''}` : whole
    },
  )
}
