import type { UserValue } from '../../../../generated/types.ts'
import { chunks, TimeSlice } from '../../../kernel/yield_to_event_loop.ts'
import { firstCharacters } from '../../../kernel/first_characters.ts'
import { findEmojis } from '../../../store/custom_emojis.ts'
import { visibleAmong } from '../../../store/access.ts'
import { findTitles } from '../../../store/blocks.ts'
import { findUsers } from '../../../store/users.ts'
import { findFiles, type FileFact } from '../../files/index.ts'
import type { Scope } from '../../shared/index.ts'
import type { Facts } from './facts.ts'
import { presentUserValue } from '../../people/index.ts'
import { plainText } from './present.ts'
import type { StoredRichText } from './stored.ts'

type WantedIds = Readonly<Record<'users' | 'targets' | 'emojis' | 'files', Set<string>>>

/** The part of a scope for resolving references. Files are found only with the data that signs their links. */
export type FactScope = Pick<Scope, 'db' | 'actor' | 'baseUrl'> & Partial<Pick<Scope, 'now' | 'files'>>

/**
 * The maximum length of a page's title in a text that mentions the page, in characters: a small request may mention a long title many
 * times.
 */
const MENTIONED_LENGTH_MAX = 250
/** The maximum length of a plain title, in characters. */
const TITLE_LENGTH_MAX = 2_000
/** A small number, because a stored title may be a megabyte long. */
const TITLES_AT_ONCE = 100

/** A title may mention a page whose title mentions a page, and so on. Names are resolved to this depth; deeper ones become "Untitled". */
const TITLE_DEPTH_MAX = 2

/**
 * Resolves all references in stored values, in a fixed number of queries.
 * @param values any stored JSON; rich text and icons are found at any depth
 */
export async function gatherFacts(scope: FactScope, values: readonly unknown[], depth = TITLE_DEPTH_MAX): Promise<Facts> {
  const wanted = idsIn(values)
  const { users, targets, emojis, files } = wanted
  // Most values refer to nothing.
  if (users.size + targets.size + emojis.size + files.size > 0) return lookUpFacts(scope, wanted, depth)
  return { users: new Map(), titles: new Map(), emojis: new Map(), files: new Map(), baseUrl: scope.baseUrl }
}

/** Like `gatherFacts`, for large numbers of values: other requests can run in between. */
export async function gatherFactsOfMany(scope: FactScope, values: Iterable<unknown>): Promise<Facts> {
  const wanted = noIds()
  const slice = new TimeSlice()
  for (const value of values) {
    collect(value, wanted)
    if (slice.isOver) await slice.next()
  }
  return lookUpFacts(scope, wanted, TITLE_DEPTH_MAX)
}

async function lookUpFacts(scope: FactScope, { users, targets, emojis, files }: WantedIds, depth: number): Promise<Facts> {
  const { workspaceId } = scope.actor
  const [people, titles, found, linked] = await Promise.all([
    users.size === 0 ? new Map() : presentUsers(scope, users),
    targets.size === 0 || depth === 0 ? new Map() : plainTitles(scope, [...targets], MENTIONED_LENGTH_MAX, depth - 1),
    emojis.size === 0 ? new Map() : findEmojis(scope.db, workspaceId, [...emojis]),
    files.size === 0 ? new Map() : findLinkedFiles(scope, files),
  ])
  return { users: people, titles, emojis: found, files: linked, baseUrl: scope.baseUrl }
}

/** The ids of the files in stored values, at any depth. */
export function filesIn(values: readonly unknown[]): ReadonlySet<string> {
  return idsIn(values).files
}

function idsIn(values: readonly unknown[]): WantedIds {
  const wanted = noIds()
  collect(values, wanted)
  return wanted
}

function noIds(): WantedIds {
  return { users: new Set(), targets: new Set(), emojis: new Set(), files: new Set() }
}

async function findLinkedFiles({ now, files, ...scope }: FactScope, ids: ReadonlySet<string>): Promise<Map<string, FileFact>> {
  return now === undefined || files === undefined ? new Map() : findFiles({ ...scope, now, files }, ids)
}

async function presentUsers(scope: FactScope, ids: Set<string>): Promise<Map<string, UserValue>> {
  const rows = await findUsers(scope.db, scope.actor.workspaceId, [...ids])
  return new Map(rows.map((row) => [row.id, presentUserValue(row, scope.actor)]))
}

/** Plain titles, by id, of the pages and databases that the caller sees. Longer ones are truncated. */
export async function plainTitles(
  scope: FactScope,
  ids: readonly string[],
  lengthMax = TITLE_LENGTH_MAX,
  depth = TITLE_DEPTH_MAX,
): Promise<Map<string, string>> {
  const visible = await visibleAmong(scope.db, scope.actor, ids)
  const plain = new Map<string, string>()
  for (const some of chunks([...visible], TITLES_AT_ONCE)) {
    const titles = await findTitles(scope.db, scope.actor.workspaceId, some)
    const facts = await gatherFacts(scope, [...titles.values()], depth)
    for (const [id, title] of titles) plain.set(id, firstCharacters(plainText(title as StoredRichText, facts), lengthMax))
  }
  return plain
}

/**
 * Collects the ids in a value. Mentions, custom-emoji icons and stored files have a `type` and, under the key that it names, an object with
 * the id.
 */
function collect(value: unknown, wanted: WantedIds): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const entry of value) collect(entry, wanted)
    return
  }
  // This runs for every value of every block of a response. `for in` avoids creating a list of keys.
  const record = value as Readonly<Record<string, unknown>>
  for (const key in record) collect(record[key], wanted)
  if (typeof record['type'] === 'string') collectTagged(record['type'], record[record['type']], wanted)
}

function collectTagged(type: string, payload: unknown, wanted: WantedIds): void {
  if (typeof payload !== 'object' || payload === null || !('id' in payload) || typeof payload.id !== 'string') return
  if (type === 'user') wanted.users.add(payload.id)
  else if (type === 'page' || type === 'database') wanted.targets.add(payload.id)
  else if (type === 'custom_emoji') wanted.emojis.add(payload.id)
  else if (type === 'file') wanted.files.add(payload.id)
}
