import { canonicalJson } from '../../kernel/canonical_json.ts'
import type { PropertyChange } from './change.ts'
import { actionOf, type EventType } from './event_types.ts'

/** How long changes of an entity lie together, in milliseconds: until it has been quiet, but never longer than the whole. */
export const WINDOW = { quiet: 5_000, whole: 30_000 } as const

/** So many of what changed inside an entity are named in one event. */
export const NAMED_MAX = 500

/** Something that happened to one entity. */
export interface Happening {
  readonly type: EventType
  readonly time: number
  readonly authorId: string
  /** What `Change` says beside type and id. */
  readonly details: Readonly<Record<string, unknown>>
  /** The subscriptions that were active: their API version, or null where they had not asked for the type. */
  readonly listeners: Readonly<Record<string, string | null>>
}

/** What is told of the changes in a window: one for each type. */
export interface Told extends Omit<Happening, 'authorId'> {
  /** In the order of their first change. */
  readonly authorIds: readonly string[]
}

/** Changes of one entity, in their order, cut into windows. */
export function windowsOf<H extends Pick<Happening, 'time'>>(happenings: readonly H[]): { closes: number; happenings: H[] }[] {
  const windows: { closes: number; opened: number; happenings: H[] }[] = []
  for (const happening of happenings) {
    const open = windows.at(-1)
    const { time } = happening
    if (open && time < open.closes) {
      open.happenings.push(happening)
      open.closes = Math.max(open.closes, Math.min(time + WINDOW.quiet, open.opened + WINDOW.whole))
    } else {
      windows.push({ closes: time + WINDOW.quiet, opened: time, happenings: [happening] })
    }
  }
  return windows
}

/** What is told of the changes that one entity has seen in a window. */
export function collapse(happenings: readonly Happening[]): Told[] {
  const turns = happenings.filter(({ type }) => turningPoints.has(actionOf(type)))
  const [first, last] = [turns[0], turns.at(-1)]
  const isGone = last !== undefined && actionOf(last.type) === 'deleted'
  const began = first === undefined ? 'there' : before[actionOf(first.type)]
  if (began === 'nowhere') return isGone || !first ? [] : [told([first], happenings)]
  if (began === 'in the trash' && isGone) return []
  if (isGone) return [told(ofAction(turns, 'deleted'))]
  const back = began === 'in the trash' ? [told(ofAction(turns, 'undeleted'))] : []
  return [...back, ...changes(happenings.filter((one) => !turns.includes(one)))]
}

const turningPoints: ReadonlySet<string> = new Set(['created', 'deleted', 'undeleted'])

/** Where an entity was before something happened to it. */
const before: Readonly<Record<string, 'nowhere' | 'there' | 'in the trash'>> = {
  created: 'nowhere',
  deleted: 'there',
  undeleted: 'in the trash',
}

function ofAction(happenings: readonly Happening[], action: string): Happening[] {
  return happenings.filter(({ type }) => actionOf(type) === action)
}

/** Everything but coming and going, each type by itself. */
function changes(happenings: readonly Happening[]): Told[] {
  const byType = Map.groupBy(happenings, ({ type }) => type)
  return [...byType.values()].flatMap((group) => {
    const details = sumOf(group)
    return details === undefined ? [] : [{ ...told(group), details }]
  })
}

/** What several changes of one type come to; undefined for nothing. */
function sumOf(group: readonly Happening[]): Happening['details'] | undefined {
  const [first, last] = [group[0]?.details ?? {}, group.at(-1)?.details ?? {}]
  if ('from' in first) {
    const [from, to] = [first['from'], last['to']]
    return canonicalJson(from) === canonicalJson(to) ? undefined : { from, to }
  }
  const type = group[0]?.type ?? ''
  if (!type.endsWith('.schema_updated')) return unionOf(group)
  const properties = netChanges(group.flatMap(({ details }) => details['properties'] as PropertyChange[]))
  return properties.length === 0 ? undefined : { properties }
}

/** Lists become one, in the order of first change; anything else is as it is in the end. */
function unionOf(group: readonly Happening[]): Happening['details'] {
  const union: Record<string, unknown> = {}
  for (const [key, value] of group.flatMap(({ details }) => Object.entries(details))) {
    const known = union[key]
    union[key] = Array.isArray(value) && Array.isArray(known) ? [...known, ...(value as unknown[])] : value
  }
  return Object.fromEntries(
    Object.entries(union).map(([key, value]) => [key, Array.isArray(value) ? firstOf(value as unknown[]) : value]),
  )
}

function firstOf(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()].slice(0, NAMED_MAX)
}

/** What has become of each property in the end, in the order of its first change. */
function netChanges(list: readonly PropertyChange[]): PropertyChange[] {
  const net = new Map<string, PropertyChange | undefined>()
  for (const change of list) {
    const known = net.get(change.id)
    net.set(change.id, known === undefined ? change : netOf(known, change))
  }
  return [...net.values()].filter((change) => change !== undefined).slice(0, NAMED_MAX)
}

function netOf(known: PropertyChange, next: PropertyChange): PropertyChange | undefined {
  if (known.action !== 'created') return known.action === 'deleted' ? { ...next, action: 'updated' } : next
  return next.action === 'deleted' ? undefined : { ...next, action: 'created' }
}

/** @param all what is told with it: it lasts as long, and has as many authors */
function told(group: readonly Happening[], all = group): Told {
  const last = group.at(-1)
  if (!last) throw new Error('nothing to tell')
  const { type, details, listeners } = last
  const time = Math.max(...all.map((one) => one.time))
  return { type, details, listeners, time, authorIds: [...new Set(all.map(({ authorId }) => authorId))] }
}
