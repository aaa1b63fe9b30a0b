import { canonicalJson } from '../../kernel/canonical_json.ts'
import type { PropertyChange } from './change.ts'
import { actionOf, type EventType } from './event_types.ts'

/** How long the changes of an entity are collected, in milliseconds: until none has arrived for `quiet`, but never longer than `whole`. */
export const WINDOW = { quiet: 5_000, whole: 30_000 } as const

/** The maximum number of items that one event lists. */
export const NAMED_MAX = 500

/** A change of one entity, as it was recorded. */
export interface RecordedChange {
  readonly type: EventType
  readonly time: number
  readonly authorId: string
  /** The fields of `Change` other than type and id. */
  readonly details: Readonly<Record<string, unknown>>
  /**
   * The subscriptions that were active when the change was made, each with its API version, or null if it had not subscribed to the type.
   */
  readonly listeners: Readonly<Record<string, string | null>>
}

/** All changes of one type in a window, as one. */
export interface CoalescedChange extends Omit<RecordedChange, 'authorId'> {
  /** In the order of their first change. */
  readonly authorIds: readonly string[]
}

/** Divides the changes of one entity, given in order, into windows. */
export function windowsOf<H extends Pick<RecordedChange, 'time'>>(changes: readonly H[]): { closes: number; changes: H[] }[] {
  const windows: { closes: number; opened: number; changes: H[] }[] = []
  for (const change of changes) {
    const open = windows.at(-1)
    const { time } = change
    if (open && time < open.closes) {
      open.changes.push(change)
      open.closes = Math.max(open.closes, Math.min(time + WINDOW.quiet, open.opened + WINDOW.whole))
    } else {
      windows.push({ closes: time + WINDOW.quiet, opened: time, changes: [change] })
    }
  }
  return windows
}

/** Coalesces the changes of one entity in one window into at most one of each type. Changes that were reported immediately are omitted. */
export function coalesce(recorded: readonly RecordedChange[]): CoalescedChange[] {
  const changes = recorded.filter(({ details }) => details['sent'] !== true)
  const lifecycle = changes.filter(({ type }) => lifecycleActions.has(actionOf(type)))
  const [first, last] = [lifecycle[0], lifecycle.at(-1)]
  const isGone = last !== undefined && actionOf(last.type) === 'deleted'
  const began = first === undefined ? 'there' : stateBefore[actionOf(first.type)]
  if (began === 'nowhere') return isGone || !first ? [] : [coalesceGroup([first], changes)]
  if (began === 'in the trash' && isGone) return []
  if (isGone) return [coalesceGroup(withAction(lifecycle, 'deleted'))]
  const back = began === 'in the trash' ? [coalesceGroup(withAction(lifecycle, 'undeleted'))] : []
  return [...back, ...coalesceByType(changes.filter((one) => !lifecycle.includes(one)))]
}

const lifecycleActions: ReadonlySet<string> = new Set(['created', 'deleted', 'undeleted'])

/** The state of an entity before an action. */
const stateBefore: Readonly<Record<string, 'nowhere' | 'there' | 'in the trash'>> = {
  created: 'nowhere',
  deleted: 'there',
  undeleted: 'in the trash',
}

function withAction(changes: readonly RecordedChange[], action: string): RecordedChange[] {
  return changes.filter(({ type }) => actionOf(type) === action)
}

function coalesceByType(changes: readonly RecordedChange[]): CoalescedChange[] {
  const byType = Map.groupBy(changes, ({ type }) => type)
  return [...byType.values()].flatMap((group) => {
    const details = mergedDetails(group)
    return details === undefined ? [] : [{ ...coalesceGroup(group), details }]
  })
}

/** The details of several changes of one type; undefined if they cancel out. */
function mergedDetails(group: readonly RecordedChange[]): RecordedChange['details'] | undefined {
  const [first, last] = [group[0]?.details ?? {}, group.at(-1)?.details ?? {}]
  if ('from' in first) {
    const [from, to] = [first['from'], last['to']]
    return canonicalJson(from) === canonicalJson(to) ? undefined : { from, to }
  }
  const type = group[0]?.type ?? ''
  if (!type.endsWith('.schema_updated')) return unionOfDetails(group)
  const properties = netChanges(group.flatMap(({ details }) => details['properties'] as PropertyChange[]))
  return properties.length === 0 ? undefined : { properties }
}

/**
 * Merges details. Lists are merged in the order of first appearance, up to the maximum of an event; of other values, the last one counts.
 */
function unionOfDetails(group: readonly RecordedChange[]): RecordedChange['details'] {
  const union = new Map<string, unknown>()
  for (const [key, value] of group.flatMap(({ details }) => Object.entries(details))) {
    const known = union.get(key)
    union.set(key, Array.isArray(value) ? addDistinct(known instanceof Map ? known : new Map(), value as unknown[]) : value)
  }
  return Object.fromEntries([...union].map(([key, value]) => [key, value instanceof Map ? [...value.values()] : value]))
}

/** Adds missing items to a list while it has room: a window may have many thousand changes, each with a full list. */
function addDistinct(list: Map<string, unknown>, values: readonly unknown[]): Map<string, unknown> {
  for (const value of values) {
    if (list.size === NAMED_MAX) break
    list.set(canonicalJson(value), value)
  }
  return list
}

/** The net change of each property, in the order of its first change. */
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

/** @param all the changes whose times and authors count */
function coalesceGroup(group: readonly RecordedChange[], all = group): CoalescedChange {
  const last = group.at(-1)
  if (!last) throw new Error('no changes')
  const { type, details, listeners } = last
  const time = Math.max(...all.map((one) => one.time))
  return { type, details, listeners, time, authorIds: [...new Set(all.map(({ authorId }) => authorId))] }
}
