import { RE2JS, type Matcher } from 're2js'
import type { Budget } from './budget.ts'
import { Unsupported } from './failures.ts'
import { PATTERN_LENGTH_MAX } from './limits.ts'

/** The maximum cost of one search: UTF-16 units of text times instructions of the pattern, each up to about 50 nanoseconds. */
const SEARCH_MAX = 2_000_000
const SMALL_SEARCH_MAX = 1000
const KEPT_MAX = 100

const compiledPatterns = new Map<string, RE2JS | null>()

/**
 * Compiles an ECMAScript pattern for a linear-time engine; null if it is invalid or uses features that such engines cannot support
 * (lookahead, back references).
 */
export function compilePattern(pattern: string, budget: Budget): RE2JS | null {
  if (pattern.length > PATTERN_LENGTH_MAX) return null
  const kept = compiledPatterns.get(pattern)
  if (kept !== undefined) return kept
  const compiled = budget.timed(() => compileNew(pattern))
  if (compiledPatterns.size >= KEPT_MAX) compiledPatterns.delete(compiledPatterns.keys().next().value ?? '')
  compiledPatterns.set(pattern, compiled)
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

/** Replaces `\s`, which the engine limits to ASCII, by all spaces. */
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

export function isFound(pattern: RE2JS, text: string, budget: Budget): boolean {
  return search(pattern, text, budget, () => pattern.test(text))
}

/** Yields the matches from left to right. The matcher is positioned on the match until the next one is requested. */
export function* matchesOf(pattern: RE2JS, text: string, budget: Budget): Generator<Matcher> {
  const matcher = pattern.matcher(text)
  while (search(pattern, text, budget, () => matcher.find())) yield matcher
}

/**
 * Runs one search, which may start at any position of the text. All searches of a text may together take quadratic time, so each is charged
 * for the time it took. Small searches are charged their maximum cost instead, so that their results never depend on the machine.
 */
function search(pattern: RE2JS, text: string, budget: Budget, find: () => boolean): boolean {
  const cost = text.length * pattern.programSize()
  if (cost > SEARCH_MAX) throw new Unsupported('a regular expression is too costly for its text')
  if (cost > SMALL_SEARCH_MAX) return budget.timed(find)
  budget.spend(1 + Math.ceil(cost / 4))
  return find()
}

/** The text that replaces one match: `$1` to `$99` and `$<name>` stand for groups, `$&` for the match, `$$` for a dollar. */
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
