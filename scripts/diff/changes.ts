/** The report of `redocly diff`, in our words. */

import { isObject } from '../generate/document.ts'

const ratings = { major: 'breaking', minor: 'non-breaking', patch: 'docs only' } as const
type Rating = (typeof ratings)[keyof typeof ratings]

export interface Change {
  rating: Rating
  /** where the change was made: a component, or an operation */
  place: string
  message: string
}

/** Reads the JSON report. Throws when it has another form than that of redocly 2. */
export function readChanges(text: string): Change[] {
  const report: unknown = JSON.parse(text)
  if (!isObject(report) || !Array.isArray(report['changes']))
    throw new Error('redocly diff reports in a form that scripts/diff/changes.ts does not know')
  return report['changes'].filter(isObject).map(readChange)
}

function readChange(change: Record<string, unknown>): Change {
  const verdicts = Array.isArray(change['verdicts']) ? change['verdicts'].filter(isObject) : []
  const side = [change['revision'], change['base']].find(isObject)
  const words = verdicts.map(({ message }) => String(message)).join(' ')
  return {
    rating: ratingOf(change['impact']),
    place: placeOf(String(side?.['pointer'] ?? change['path'])),
    message: words || `${String(change['property'] ?? change['typeName'])} ${String(change['kind'])}`,
  }
}

function ratingOf(impact: unknown): Rating {
  return impact === 'major' || impact === 'minor' || impact === 'patch' ? ratings[impact] : 'docs only'
}

/** `#/components/schemas/Color/enum` -> `Color enum`; `#/paths/~1v1~1users/get/…` -> `/v1/users get …`. */
function placeOf(pointer: string): string {
  const keys = pointer
    .replace(/^#\//, '')
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return (keys[0] === 'components' ? keys.slice(2) : keys.slice(1)).join(' ')
}

/** A table, the worst first, and a line with the sums. */
export function changeReport(changes: readonly Change[], base: string): string {
  if (changes.length === 0) return `No changes since ${base}.`
  const order = Object.values(ratings)
  const sorted = changes.toSorted((a, b) => order.indexOf(a.rating) - order.indexOf(b.rating) || (a.place < b.place ? -1 : 1))
  const widths = {
    rating: Math.max(...sorted.map(({ rating }) => rating.length)),
    place: Math.min(60, Math.max(...sorted.map(({ place }) => place.length))),
  }
  const lines = sorted.map(
    ({ rating, place, message }) => `${rating.padEnd(widths.rating)}  ${place.padEnd(widths.place)}  ${message}`,
  )
  const sums = order.map((rating) => `${sorted.filter((change) => change.rating === rating).length} ${rating}`).join(', ')
  return `${lines.join('\n')}\n\nSince ${base}: ${sums}`
}
