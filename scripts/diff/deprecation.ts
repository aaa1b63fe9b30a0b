/** Deprecations. */

import type { Comparison } from './comparison.ts'
import { isObject } from '../../server/kernel/is_object.ts'

type Deprecable = Record<string, unknown>

/** Compares `deprecated` and `x-deprecation`: the date, the replacement, and the earliest removal. */
export function compareDeprecation(comparison: Comparison, before: Deprecable, after: Deprecable, location: string): void {
  const [was, is] = [before['deprecated'] === true, after['deprecated'] === true]
  if (is && !was) comparison.report('minor', location, `deprecated${plan(after)}`)
  if (was && !is) comparison.report('minor', location, 'no longer deprecated')
  if (!was || !is) return
  const [then, now] = [stays(before), stays(after)]
  if (then !== undefined && (now === undefined || now < then))
    comparison.report('major', location, `stays until ${now ?? 'an unknown date'}, was promised until ${then}`)
  else if (now !== then) comparison.report('minor', location, `stays until ${now} at least, was promised ${then ?? 'no date'}`)
}

/** ` (was promised until 2028-01-01)`, or nothing. */
export function promise(removed: Deprecable): string {
  const until = stays(removed)
  return until === undefined ? '' : ` (was promised until ${until})`
}

function stays(deprecable: Deprecable): string | undefined {
  const deprecation = deprecable['x-deprecation']
  return isObject(deprecation) ? String(deprecation['removal_not_before']) : undefined
}

function plan(deprecable: Deprecable): string {
  const deprecation = deprecable['x-deprecation']
  if (!isObject(deprecation)) return ''
  const { since, replacement, removal_not_before: until } = deprecation
  return ` since ${String(since)}; instead: ${String(replacement)}; stays until ${String(until)} at least`
}
