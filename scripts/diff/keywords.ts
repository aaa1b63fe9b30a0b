/** Compares keywords of a schema other than structure, values and limits. */

import { compareDeprecation } from './deprecation.ts'
import { compareLimit, limitKeywords } from './limits.ts'
import { compareTypes, compareAllowedValues } from './values.ts'
import { isSame, narrower, asCode, reportBySide, wider, type Comparison } from './comparison.ts'

type Keywords = ReadonlyMap<string, unknown>

const compareRetry = (comparison: Comparison, before: unknown, after: unknown, location: string): void => {
  const order = ['never', 'idempotent_only', 'always']
  const rank = (value: unknown): number => order.indexOf(String(value ?? 'never'))
  comparison.report(
    rank(after) < rank(before) ? 'major' : 'minor',
    location,
    `x-retry changed from ${asCode([before ?? 'never'])} to ${asCode([after ?? 'never'])}`,
  )
}

/** Keywords that only describe, or that other comparisons cover. */
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

export function compareKeywords(comparison: Comparison, before: Keywords, after: Keywords, location: string): void {
  compareTypes(comparison, before, after, location)
  compareAllowedValues(comparison, before, after, location)
  compareClosing(comparison, before, after, location)
  compareDeprecation(comparison, Object.fromEntries(before), Object.fromEntries(after), location)
  for (const keyword of ['items', 'propertyNames']) comparison.compare(before.get(keyword), after.get(keyword), `${location}[]`)
  comparePrefixItems(comparison, before, after, location)
  for (const keyword of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(keyword), after.get(keyword)]
    if (isSame(was, is)) continue
    // A restriction of values that only other deployments send does not change this service's responses.
    if (keyword === 'pattern' && after.has('x-sent') && !before.has('x-sent'))
      comparison.report('minor', location, `pattern ${asCode([is])} for other deployments, was ${asCode([was])}`)
    else compareKeyword(comparison, keyword, was, is, location)
  }
}

function compareKeyword(comparison: Comparison, keyword: string, before: unknown, after: unknown, location: string): void {
  if (limitKeywords.has(keyword)) compareLimit(comparison, keyword, before, after, location)
  else if (constraints.has(keyword)) compareConstraint(comparison, keyword, before, after, location)
  else if (keyword === 'x-unchanged') compareUnchanged(comparison, after === true, location)
  else if (keyword === 'x-retry') compareRetry(comparison, before, after, location)
  else if (keyword === 'default') compareDefault(comparison, before, after, location)
  else if (keyword === 'discriminator') compareTag(comparison, before, after, location)
  else if (wording.has(keyword)) comparison.report('patch', location, 'other wording')
  else if (!silent.has(keyword))
    comparison.report('major', location, `\`${keyword}\` changed, which no rule of the comparison knows`)
}

/** @param isChecked whether a read-only member is now compared with the record */
function compareUnchanged(comparison: Comparison, isChecked: boolean, location: string): void {
  const message = `a value other than that of the record is ${isChecked ? 'refused, was ignored' : 'ignored, was refused'}`
  reportBySide(comparison, isChecked ? narrower : wider, location, message)
}

function compareConstraint(comparison: Comparison, keyword: string, before: unknown, after: unknown, location: string): void {
  const message = `${keyword} ${after === undefined ? 'none' : asCode([after])}, was ${before === undefined ? 'none' : asCode([before])}`
  if (before === undefined || before === false || isOptionalForm(before, after))
    reportBySide(comparison, narrower, location, message)
  else if (after === undefined || after === false || isOptionalForm(after, before))
    reportBySide(comparison, wider, location, message)
  else comparison.report('major', location, message)
}

/** Whether `pattern` only adds the empty text to `other`: `^(?:…)?$` for `^…$`. */
function isOptionalForm(pattern: unknown, other: unknown): boolean {
  if (typeof other !== 'string' || !/^\^[^|]*\$$/.test(other)) return false
  return pattern === `^(?:${other.slice(1, -1)})?$`
}

function compareDefault(comparison: Comparison, before: unknown, after: unknown, location: string): void {
  const word = before === undefined || comparison.side === 'response' ? 'minor' : 'major'
  comparison.report(
    word,
    location,
    `default ${after === undefined ? 'none' : asCode([after])}, was ${before === undefined ? 'none' : asCode([before])}`,
  )
}

function compareTag(comparison: Comparison, before: unknown, after: unknown, location: string): void {
  const [was, is] = [before, after].map((value) => Object(value)['propertyName'] as unknown)
  if (was !== is) comparison.report('major', location, `variants are distinguished by ${asCode([is])}, was ${asCode([was])}`)
}

/** Compares whether, and in what form, unknown keys are accepted. */
function compareClosing(comparison: Comparison, before: Keywords, after: Keywords, location: string): void {
  const [was, is] = [before, after].map(
    (keywords) => keywords.get('additionalProperties') ?? keywords.get('unevaluatedProperties') ?? true,
  )
  if (was === is) return
  if (is === false) reportBySide(comparison, narrower, location, 'unknown keys are refused, were accepted')
  else if (was === false) reportBySide(comparison, wider, location, 'unknown keys are accepted, were refused')
  else comparison.compare(was, is, `${location}.*`)
}

function comparePrefixItems(comparison: Comparison, before: Keywords, after: Keywords, location: string): void {
  const [was, is] = [before, after].map((keywords) => [keywords.get('prefixItems') ?? []].flat()) as [unknown[], unknown[]]
  for (let index = 0; index < Math.max(was.length, is.length); index += 1)
    comparison.compare(was[index], is[index], `${location}[${index}]`)
}
