/** Changes of the project's own extension fields of operations. */

import type { CapabilityRule, OperationObject } from '../generate/document.ts'
import type { Word } from './change.ts'
import { isSame, listChanges, asCode } from './comparison.ts'

type Report = (word: Word, location: string, message: string) => void

/** Compares the extension fields of an operation. A change of a field without a rule counts as breaking. */
export function compareExtensionFields(before: OperationObject, after: OperationObject, report: Report): void {
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => key.startsWith('x-')))) {
    if (isSame(before[field], after[field])) continue
    const rule = rules[field]
    if (rule === undefined) report('major', field, 'changed; no rule of the comparison knows this field')
    else rule(before, after, report)
  }
}

const rules: Record<string, (before: OperationObject, after: OperationObject, report: Report) => void> = {
  'x-capability': compareCapability,
  'x-token-kinds': ({ 'x-token-kinds': before }, { 'x-token-kinds': after }, report) =>
    compareSets(before ?? allKinds, after ?? allKinds, 'kinds of tokens', report),
  'x-credentials': ({ 'x-credentials': before }, { 'x-credentials': after }, report) =>
    compareSets(credentials(before), credentials(after), 'credentials', report),
  'x-available': compareAvailability,
  'x-pagination': ({ 'x-pagination': before }, { 'x-pagination': after }, report) =>
    report('major', 'paging', `${JSON.stringify(after ?? 'none')}, was ${JSON.stringify(before ?? 'none')}`),
  'x-error-codes': ({ 'x-error-codes': before }, { 'x-error-codes': after = [] }, report) => {
    // Without a list, an operation could already return any code of its responses.
    if (before === undefined) return
    const { removed, added } = listChanges(before, after)
    if (removed.length > 0) report('major', 'error codes', `${asCode(removed)} no longer sent`)
    if (added.length > 0) report('minor', 'error codes', `${asCode(added)} new`)
  },
  'x-deprecation': () => {}, // compared with `deprecated`
}

const allKinds = ['installation', 'access', 'personal']

/** The accepted credentials: `connection` accepts a bearer token or the connection's own secret. */
function credentials(name = 'bearer'): string[] {
  if (name === 'none') return ['bearer', 'client', 'none']
  return name === 'connection' ? ['bearer', 'client'] : [name]
}

function compareSets(before: string[], after: string[], what: string, report: Report): void {
  const { removed, added } = listChanges(before, after)
  if (removed.length > 0) report('major', what, `${asCode(removed)} no longer accepted`)
  if (added.length > 0) report('minor', what, `${asCode(added)} now accepted, too`)
}

/** Reports a breaking change if a token that was sufficient no longer is. */
function compareCapability(
  { 'x-capability': before = 'none' }: OperationObject,
  { 'x-capability': after = 'none' }: OperationObject,
  report: Report,
): void {
  const enough = alternatives(after)
  const narrowed = alternatives(before).some(
    (had) => !enough.some((needs) => needs.every((capability) => had.includes(capability))),
  )
  report(narrowed ? 'major' : 'minor', 'capabilities', `needs ${capabilityWords(after)}, needed ${capabilityWords(before)}`)
}

function alternatives(rule: CapabilityRule): string[][] {
  if (rule === 'none') return [[]]
  return 'all' in rule ? [rule.all] : rule.any.map((capability) => [capability])
}

function capabilityWords(rule: CapabilityRule): string {
  if (rule === 'none') return 'none'
  return 'all' in rule ? asCode(rule.all) : `one of ${asCode(rule.any)}`
}

/** Compares `x-available`. Release dates compare as text. */
function compareAvailability(
  { 'x-available': before = {} }: OperationObject,
  { 'x-available': after = {} }: OperationObject,
  report: Report,
): void {
  const [wasFrom, isFrom] = [before.from ?? '', after.from ?? '']
  const [wasBefore, isBefore] = [before.before ?? '9', after.before ?? '9']
  const narrowed = isFrom > wasFrom || isBefore < wasBefore
  report(narrowed ? 'major' : 'minor', 'release dates', `${availabilityWords(after)}, was ${availabilityWords(before)}`)
}

function availabilityWords({ from, before }: { from?: string; before?: string }): string {
  const words = [...(from === undefined ? [] : [`from ${from}`]), ...(before === undefined ? [] : [`before ${before}`])]
  return words.length === 0 ? 'in all' : words.join(' and ')
}
