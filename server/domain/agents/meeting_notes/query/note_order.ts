import type { MeetingNotesPropertyName, MeetingNotesSort } from '../../../../../generated/types.ts'
import { collationKey, compareCodePoints } from '../../../../kernel/collation.ts'
import { knownRows } from '../../../people/index.ts'
import type { Scope } from '../../../shared/index.ts'
import { peopleOf, type NoteFacts } from './note.ts'

/** A note with its sort values, one for each sort; undefined if it has none. */
export interface PlacedNote extends NoteFacts {
  readonly keys: readonly (string | number | undefined)[]
}

const NEWEST_FIRST: MeetingNotesSort = { property: 'created_time', direction: 'descending' }

export class NoteOrder {
  readonly sorts: readonly [MeetingNotesSort, ...MeetingNotesSort[]]
  readonly #names = new Map<string, string>()

  /** @param sorts if empty, newest first */
  constructor(sorts: readonly MeetingNotesSort[] = []) {
    const [first = NEWEST_FIRST, ...others] = sorts
    this.sorts = [first, ...others]
  }

  /** Reads the sort values of notes: the names of people as they are visible to the caller, and titles in lower case. */
  async place(scope: Scope, notes: readonly NoteFacts[]): Promise<PlacedNote[]> {
    await this.#learnNames(scope, notes)
    return notes.map((note) => ({ ...note, keys: this.sorts.map(({ property }) => this.#keyOf(note, property)) }))
  }

  /** Missing values come last in either direction. Notes with equal values are sorted newest first. */
  compare(one: PlacedNote, other: PlacedNote): number {
    for (const [index, { direction }] of this.sorts.entries()) {
      const compared = compareKeys(one.keys[index], other.keys[index], direction)
      if (compared !== 0) return compared
    }
    return compareKeys(one.createdTime, other.createdTime, 'descending') || compareKeys(one.id, other.id, 'descending')
  }

  /** Whether a note comes before another one by the first sort alone, without equal values. */
  isClearlyBefore(one: PlacedNote, other: NoteFacts): boolean {
    const [{ property, direction }] = this.sorts
    return compareKeys(one.keys[0], this.#keyOf(other, property), direction) < 0
  }

  #keyOf(note: NoteFacts, property: MeetingNotesPropertyName): string | number | undefined {
    switch (property) {
      case 'created_time':
        return note.createdTime
      case 'last_edited_time':
        return note.lastEditedTime
      case 'title':
        return note.title === '' ? undefined : collationKey(note.title)
      case 'created_by':
      case 'last_edited_by':
      case 'attendees': {
        const name = this.#names.get(peopleOf(note, property)[0] ?? '') ?? ''
        return name === '' ? undefined : collationKey(name)
      }
    }
  }

  async #learnNames(scope: Scope, notes: readonly NoteFacts[]): Promise<void> {
    const first = notes.flatMap((note) => this.sorts.flatMap(({ property }) => peopleOf(note, property).slice(0, 1)))
    const unknown = [...new Set(first)].filter((id) => !this.#names.has(id))
    for (const id of unknown) this.#names.set(id, '')
    for (const { id, name } of await knownRows(scope, unknown)) this.#names.set(id, name ?? '')
  }
}

type Key = string | number | undefined

function compareKeys(one: Key, other: Key, direction: MeetingNotesSort['direction']): number {
  if (one === other) return 0
  if (one === undefined) return 1
  if (other === undefined) return -1
  const compared = typeof one === 'string' && typeof other === 'string' ? compareCodePoints(one, other) : one < other ? -1 : 1
  return direction === 'ascending' ? compared : -compared
}
