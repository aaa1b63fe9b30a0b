/** Every keyword of a schema that is neither structure, value nor limit, and what its change means. */

import { compareDeprecation } from './deprecation.ts'
import { compareLimit, limitKeywords } from './limits.ts'
import { compareTypes, compareValues } from './values.ts'
import { narrower, quoted, reportBySide, wider, type Walk } from './walk.ts'

type Keywords = ReadonlyMap<string, unknown>

const compareRetry = (walk: Walk, before: unknown, after: unknown, place: string): void => {
  const order = ['never', 'idempotent_only', 'always']
  const rank = (value: unknown): number => order.indexOf(String(value ?? 'never'))
  walk.report(
    rank(after) < rank(before) ? 'major' : 'minor',
    place,
    `may be retried ${quoted([after ?? 'never'])}, was ${quoted([before ?? 'never'])}`,
  )
}

/** Keywords that describe, or that other comparisons read. */
const silent = new Set([
  ...['type', 'enum', 'const', 'items', 'prefixItems', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['discriminator', 'deprecated', 'x-deprecation', 'x-payload-key', 'x-payload-union', 'x-retry', 'default'],
])
const wording = new Set(['title', 'description', 'example', 'examples', 'x-expectation', '$comment', 'contentMediaType'])
const constraints = new Set(['pattern', 'format', 'multipleOf', 'uniqueItems'])

export function compareKeywords(walk: Walk, before: Keywords, after: Keywords, place: string): void {
  compareTypes(walk, before, after, place)
  compareValues(walk, before, after, place)
  compareClosing(walk, before, after, place)
  compareDeprecation(walk, Object.fromEntries(before), Object.fromEntries(after), place)
  for (const keyword of ['items', 'propertyNames']) walk.compare(before.get(keyword), after.get(keyword), `${place}[]`)
  comparePrefixItems(walk, before, after, place)
  for (const keyword of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(keyword), after.get(keyword)]
    if (JSON.stringify(was) !== JSON.stringify(is)) compareKeyword(walk, keyword, was, is, place)
  }
}

function compareKeyword(walk: Walk, keyword: string, before: unknown, after: unknown, place: string): void {
  if (limitKeywords.has(keyword)) compareLimit(walk, keyword, before, after, place)
  else if (constraints.has(keyword)) compareConstraint(walk, keyword, before, after, place)
  else if (keyword === 'x-retry') compareRetry(walk, before, after, place)
  else if (keyword === 'default') compareDefault(walk, before, after, place)
  else if (keyword === 'discriminator') compareTag(walk, before, after, place)
  else if (wording.has(keyword)) walk.report('patch', place, 'other words')
  else if (!silent.has(keyword)) walk.report('major', place, `\`${keyword}\` changed, which no rule of the comparison knows`)
}

function compareConstraint(walk: Walk, keyword: string, before: unknown, after: unknown, place: string): void {
  const message = `${keyword} ${after === undefined ? 'none' : quoted([after])}, was ${before === undefined ? 'none' : quoted([before])}`
  if (before === undefined || before === false) reportBySide(walk, narrower, place, message)
  else if (after === undefined || after === false) reportBySide(walk, wider, place, message)
  else walk.report('major', place, message)
}

function compareDefault(walk: Walk, before: unknown, after: unknown, place: string): void {
  const word = before === undefined || walk.side === 'answer' ? 'minor' : 'major'
  walk.report(
    word,
    place,
    `default ${after === undefined ? 'none' : quoted([after])}, was ${before === undefined ? 'none' : quoted([before])}`,
  )
}

function compareTag(walk: Walk, before: unknown, after: unknown, place: string): void {
  const [was, is] = [before, after].map((value) => Object(value)['propertyName'] as unknown)
  if (was !== is) walk.report('major', place, `kinds are told apart by ${quoted([is])}, was ${quoted([was])}`)
}

/** Whether keys that the schema does not name are accepted, and of what form. */
function compareClosing(walk: Walk, before: Keywords, after: Keywords, place: string): void {
  const [was, is] = [before, after].map(
    (keywords) => keywords.get('additionalProperties') ?? keywords.get('unevaluatedProperties') ?? true,
  )
  if (was === is) return
  if (is === false) reportBySide(walk, narrower, place, 'unknown keys are refused, were accepted')
  else if (was === false) reportBySide(walk, wider, place, 'unknown keys are accepted, were refused')
  else walk.compare(was, is, `${place}.*`)
}

function comparePrefixItems(walk: Walk, before: Keywords, after: Keywords, place: string): void {
  const [was, is] = [before, after].map((keywords) => [keywords.get('prefixItems') ?? []].flat()) as [unknown[], unknown[]]
  for (let index = 0; index < Math.max(was.length, is.length); index += 1)
    walk.compare(was[index], is[index], `${place}[${index}]`)
}
