import type { RE2JS } from 're2js'
import type { Frame } from '../frame.ts'
import { Unsupported } from '../failures.ts'
import { joinValues } from '../format.ts'
import { TEXT_LENGTH_MAX } from '../limits.ts'
import { formatNumberAs } from '../number_formats.ts'
import { compilePattern, expandReplacement, isFound, matchesOf } from '../regular_expressions.ts'
import { BOOLEAN, listOf, TEXT } from '../types.ts'
import type { FormulaValue } from '../values.ts'
import { listAt, numberAt, optionalNumberAt, textAt } from './arguments.ts'
import { charactersOf, lengthOfText, partOfText } from './characters.ts'
import { arg, define, optional, repeated, type FunctionDefinition } from './definition.ts'

type Apply = FunctionDefinition['apply']

/** The cost of processing one match of a regular expression, besides the search and the resulting text. */
const STEPS_PER_MATCH = 100
/** The cost of formatting a number. */
const STEPS_PER_NUMBER = 50

const PADDED = [arg.text, arg.number, optional(arg.text)]

export const textFunctions: readonly FunctionDefinition[] = [
  define('substring', [arg.text, arg.number, optional(arg.number)], TEXT, (values, { budget }) =>
    partOfText(textAt(values, 0), numberAt(values, 1), optionalNumberAt(values, 2) ?? Infinity, budget),
  ),
  define('contains', [arg.text, arg.text], BOOLEAN, (values, { budget }) => {
    budget.readText(textAt(values, 0).length)
    return textAt(values, 0).includes(textAt(values, 1))
  }),
  define('test', [arg.text, arg.text], BOOLEAN, withPattern(isFoundIn)),
  define('match', [arg.text, arg.text], listOf(TEXT), withPattern(matchAll)),
  define('replace', [arg.text, arg.text, arg.text], TEXT, withPattern(replacing(1))),
  define('replaceAll', [arg.text, arg.text, arg.text], TEXT, withPattern(replacing(Infinity))),
  define('lower', [arg.text], TEXT, (values) => textAt(values, 0).toLowerCase()),
  define('upper', [arg.text], TEXT, (values) => textAt(values, 0).toUpperCase()),
  define('trim', [arg.text], TEXT, (values) => textAt(values, 0).trim()),
  define('repeat', [arg.text, arg.number], TEXT, (values, { budget }) => {
    const times = Math.max(0, Math.trunc(numberAt(values, 1)))
    if (textAt(values, 0) === '') return ''
    budget.reserveText(textAt(values, 0).length * times)
    return textAt(values, 0).repeat(times)
  }),
  define('padStart', PADDED, TEXT, (values, frame) => padding(values, frame) + textAt(values, 0)),
  define('padEnd', PADDED, TEXT, (values, frame) => textAt(values, 0) + padding(values, frame)),
  define('split', [arg.text, arg.text], listOf(TEXT), (values, { budget }) => {
    const [subject, separator] = [textAt(values, 0), textAt(values, 1)]
    budget.reserveText(subject.length)
    const parts = separator === '' ? charactersOf(subject, budget) : subject.split(separator)
    budget.reserveList(parts.length)
    return parts
  }),
  define('join', [arg.list, arg.text], TEXT, (values, { budget }) => joinValues(listAt(values, 0), textAt(values, 1), budget)),
  define('link', [arg.text, arg.text], TEXT, (values) => textAt(values, 0)),
  define('style', [arg.text, optional(repeated(arg.text))], TEXT, (values) => textAt(values, 0)),
  define('unstyle', [arg.text, optional(repeated(arg.text))], TEXT, (values) => textAt(values, 0)),
  define('formatNumber', [arg.number, arg.text, optional(arg.number)], TEXT, (values, { budget }) => {
    budget.spend(STEPS_PER_NUMBER)
    budget.readText(textAt(values, 1).length)
    return formatNumberAs(numberAt(values, 0), textAt(values, 1), optionalNumberAt(values, 2))
  }),
]

type PatternUse = (pattern: RE2JS, subject: string, values: readonly FormulaValue[], frame: Frame) => FormulaValue

/** Calls `use` with a compiled pattern. An invalid pattern yields the empty value. */
function withPattern(use: PatternUse): Apply {
  return (values, frame) => {
    const pattern = compilePattern(textAt(values, 1), frame.budget)
    return pattern === null ? null : use(pattern, textAt(values, 0), values, frame)
  }
}

function isFoundIn(pattern: RE2JS, subject: string, _values: readonly FormulaValue[], { budget }: Frame): boolean {
  return isFound(pattern, subject, budget)
}

function matchAll(pattern: RE2JS, subject: string, _values: readonly FormulaValue[], { budget }: Frame): FormulaValue {
  const found: string[] = []
  for (const matcher of matchesOf(pattern, subject, budget)) {
    budget.spend(STEPS_PER_MATCH)
    found.push(budget.text(matcher.group() ?? ''))
  }
  budget.reserveList(found.length)
  return found
}

/** Replaces at most `most` matches. */
function replacing(most: number): PatternUse {
  return (pattern, subject, values, { budget }) => {
    const parts: string[] = []
    let [length, end, count] = [0, 0, 0]
    const add = (part: string) => {
      length += part.length
      if (length > TEXT_LENGTH_MAX) throw new Unsupported('a text of the formula is too long')
      parts.push(budget.text(part))
    }
    for (const matcher of matchesOf(pattern, subject, budget)) {
      budget.spend(STEPS_PER_MATCH)
      add(subject.slice(end, matcher.start()) + expandReplacement(matcher, textAt(values, 2)))
      end = matcher.end()
      if (++count >= most) break
    }
    add(subject.slice(end))
    return parts.join('')
  }
}

function padding(values: readonly FormulaValue[], { budget }: Frame): string {
  const filler = values.length > 2 ? textAt(values, 2) : ' '
  const missing = Math.trunc(numberAt(values, 1)) - lengthOfText(textAt(values, 0), budget)
  if (missing <= 0 || filler === '') return ''
  budget.reserveText(missing * 2)
  const times = Math.ceil(missing / lengthOfText(filler, budget))
  return partOfText(filler.repeat(times), 0, missing, budget)
}
