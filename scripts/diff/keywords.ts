/** Changes of the keywords of a schema that are neither structure, value nor limit. */

import { compareDeprecation } from './deprecation.ts'
import { compareLimit, limitKeywords } from './limits.ts'
import { compareTypes, compareAllowedValues } from './values.ts'
import { isSame, narrower, asCode, reportBySide, wider, type Comparison } from './comparison.ts'

type Keywords = ReadonlyMap<string, unknown>

const compareRetry = (comparison: Comparison, before: unknown, after: unknown, place: string): void => {
  const order = ['never', 'idempotent_only', 'always']
  const rank = (value: unknown): number => order.indexOf(String(value ?? 'never'))
  comparison.report(
    rank(after) < rank(before) ? 'major' : 'minor',
    place,
    `may be retried ${asCode([after ?? 'never'])}, was ${asCode([before ?? 'never'])}`,
  )
}

/** Keywords that describe, or that other comparisons read. */
const silent = new Set([
  ...['type', 'enum', 'const', 'items', 'prefixItems', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['discriminator', 'deprecated', 'x-deprecation', 'x-payload-key', 'x-payload-union', 'x-retry', 'x-secret', 'default'],
  ...['x-required-since', 'x-sent'],
])
const wording = new Set([
  'title',
  'description',
  'example',
  'examples',
  'x-expectation',
  'x-branded',
  '$comment',
  'contentMediaType',
  'readOnly',
  'x-computed',
])
const constraints = new Set(['pattern', 'format', 'multipleOf', 'uniqueItems'])

export function compareKeywords(comparison: Comparison, before: Keywords, after: Keywords, place: string): void {
  compareTypes(comparison, before, after, place)
  compareAllowedValues(comparison, before, after, place)
  compareClosing(comparison, before, after, place)
  compareDeprecation(comparison, Object.fromEntries(before), Object.fromEntries(after), place)
  for (const keyword of ['items', 'propertyNames']) comparison.compare(before.get(keyword), after.get(keyword), `${place}[]`)
  comparePrefixItems(comparison, before, after, place)
  for (const keyword of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(keyword), after.get(keyword)]
    if (isSame(was, is)) continue
    // What only other deployments send leaves the answers of this service as they were.
    if (keyword === 'pattern' && after.has('x-sent') && !before.has('x-sent'))
      comparison.report('minor', place, `pattern ${asCode([is])} for other deployments, was ${asCode([was])}`)
    else compareKeyword(comparison, keyword, was, is, place)
  }
}

function compareKeyword(comparison: Comparison, keyword: string, before: unknown, after: unknown, place: string): void {
  if (limitKeywords.has(keyword)) compareLimit(comparison, keyword, before, after, place)
  else if (constraints.has(keyword)) compareConstraint(comparison, keyword, before, after, place)
  else if (keyword === 'x-unchanged') compareUnchanged(comparison, after === true, place)
  else if (keyword === 'x-retry') compareRetry(comparison, before, after, place)
  else if (keyword === 'default') compareDefault(comparison, before, after, place)
  else if (keyword === 'discriminator') compareTag(comparison, before, after, place)
  else if (wording.has(keyword)) comparison.report('patch', place, 'other wording')
  else if (!silent.has(keyword))
    comparison.report('major', place, `\`${keyword}\` changed, which no rule of the comparison knows`)
}

/** @param isChecked whether a read-only member is now compared with the record */
function compareUnchanged(comparison: Comparison, isChecked: boolean, place: string): void {
  const message = `another value than that of the record is ${isChecked ? 'refused, was ignored' : 'ignored, was refused'}`
  reportBySide(comparison, isChecked ? narrower : wider, place, message)
}

function compareConstraint(comparison: Comparison, keyword: string, before: unknown, after: unknown, place: string): void {
  const message = `${keyword} ${after === undefined ? 'none' : asCode([after])}, was ${before === undefined ? 'none' : asCode([before])}`
  if (before === undefined || before === false || isOptionalForm(before, after))
    reportBySide(comparison, narrower, place, message)
  else if (after === undefined || after === false || isOptionalForm(after, before))
    reportBySide(comparison, wider, place, message)
  else comparison.report('major', place, message)
}

/** Whether a pattern is another one that also allows the empty text: `^(?:…)?$` for `^…$`. */
function isOptionalForm(pattern: unknown, other: unknown): boolean {
  if (typeof other !== 'string' || !/^\^[^|]*\$$/.test(other)) return false
  return pattern === `^(?:${other.slice(1, -1)})?$`
}

function compareDefault(comparison: Comparison, before: unknown, after: unknown, place: string): void {
  const word = before === undefined || comparison.side === 'answer' ? 'minor' : 'major'
  comparison.report(
    word,
    place,
    `default ${after === undefined ? 'none' : asCode([after])}, was ${before === undefined ? 'none' : asCode([before])}`,
  )
}

function compareTag(comparison: Comparison, before: unknown, after: unknown, place: string): void {
  const [was, is] = [before, after].map((value) => Object(value)['propertyName'] as unknown)
  if (was !== is) comparison.report('major', place, `variants are distinguished by ${asCode([is])}, was ${asCode([was])}`)
}

/** Compares whether unknown keys are accepted, and in what form. */
function compareClosing(comparison: Comparison, before: Keywords, after: Keywords, place: string): void {
  const [was, is] = [before, after].map(
    (keywords) => keywords.get('additionalProperties') ?? keywords.get('unevaluatedProperties') ?? true,
  )
  if (was === is) return
  if (is === false) reportBySide(comparison, narrower, place, 'unknown keys are refused, were accepted')
  else if (was === false) reportBySide(comparison, wider, place, 'unknown keys are accepted, were refused')
  else comparison.compare(was, is, `${place}.*`)
}

function comparePrefixItems(comparison: Comparison, before: Keywords, after: Keywords, place: string): void {
  const [was, is] = [before, after].map((keywords) => [keywords.get('prefixItems') ?? []].flat()) as [unknown[], unknown[]]
  for (let index = 0; index < Math.max(was.length, is.length); index += 1)
    comparison.compare(was[index], is[index], `${place}[${index}]`)
}
