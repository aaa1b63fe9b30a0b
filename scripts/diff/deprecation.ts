/** What the contract says it will take away. */

import { isObject } from '../generate/document.ts'
import type { Walk } from './walk.ts'

type Deprecable = Record<string, unknown>

/** `deprecated` with its `x-deprecation`: since when, what to use, and until when it stays at least. */
export function compareDeprecation(walk: Walk, before: Deprecable, after: Deprecable, place: string): void {
  const [was, is] = [before['deprecated'] === true, after['deprecated'] === true]
  if (is && !was) walk.report('minor', place, `deprecated${plan(after)}`)
  if (was && !is) walk.report('minor', place, 'no longer deprecated')
  if (!was || !is) return
  const [then, now] = [stays(before), stays(after)]
  if (then !== undefined && (now === undefined || now < then))
    walk.report('major', place, `stays until ${now ?? 'an unknown date'}, was promised until ${then}`)
  else if (now !== then) walk.report('minor', place, `stays until ${now} at least, was promised ${then ?? 'no date'}`)
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
