import type {
  InnerMeetingNotesGroup,
  MeetingNotesFilter,
  MeetingNotesGroup,
  MeetingNotesPersonCondition,
  MeetingNotesPropertyFilter,
  MeetingNotesPropertyName,
  MeetingNotesTextCondition,
} from '../../../../../generated/types.ts'
import { canonicalId } from '../../../../kernel/ids.ts'
import type { Bound } from '../../../../store/row_tests.ts'
import { boundsOfPoint, boundsOfSpan } from './note_dates.ts'
import { isWithin } from '../../../data/index.ts'
import { peopleOf, type NoteFacts } from './note.ts'

/** A parsed filter. */
export interface NoteFilter extends Needed {
  passes(note: NoteFacts): boolean
}

/** The conditions that all matching notes share. */
interface Needed {
  readonly createdWithin: readonly Bound[]
  readonly editedWithin: readonly Bound[]
  /** At least one person of each group has created the note or was invited to it. */
  readonly people: readonly (readonly string[])[]
}

type Test = (note: NoteFacts) => boolean
type Group = MeetingNotesFilter | MeetingNotesGroup | InnerMeetingNotesGroup

const ANY: Test = () => true

/**
 * @param now milliseconds since 1970
 * @throws ServiceError `validation_error` for a day or a time that does not exist
 */
export function parseNoteFilter(filter: MeetingNotesFilter | undefined, now: number): NoteFilter {
  const needed = nothing()
  const passes = filter === undefined ? ANY : parseGroup(filter, 'body.filter', { now, needed })
  return { ...needed, passes }
}

interface FilterContext {
  readonly now: number
  /** Collects necessary conditions. */
  readonly needed: ReturnType<typeof nothing>
}

function nothing(): { readonly [N in keyof Needed]: Needed[N][number][] } {
  return { createdWithin: [], editedWithin: [], people: [] }
}

function parseGroup({ operator, filters = [] }: Group, path: string, context: FilterContext): Test {
  const isNeeded = operator === 'and' || filters.length === 1
  const inner = isNeeded ? context : { ...context, needed: nothing() }
  const tests = filters.map((node, index) => {
    const place = `${path}.filters[${index}]`
    return 'property' in node ? parseCondition(node, `${place}.filter`, inner) : parseGroup(node, place, inner)
  })
  if (tests.length === 0) return ANY
  return operator === 'and' ? (note) => tests.every((test) => test(note)) : (note) => tests.some((test) => test(note))
}

/** The contract ensures that the operator fits the property. */
function parseCondition({ property, filter }: MeetingNotesPropertyFilter, path: string, { now, needed }: FilterContext): Test {
  switch (filter.operator) {
    case 'is_empty':
      return (note) => isEmpty(note, property)
    case 'is_not_empty':
      return (note) => !isEmpty(note, property)
    case 'date_is':
    case 'date_is_before':
    case 'date_is_after':
    case 'date_is_on_or_before':
    case 'date_is_on_or_after':
      return parseTimes(property, boundsOfPoint(filter.operator, filter.value, now, `${path}.value`), needed)
    case 'date_is_within':
    case 'date_is_relative_to':
      return parseTimes(property, boundsOfSpan(filter.value, now, `${path}.value`), needed)
    case 'person_contains':
    case 'person_does_not_contain':
      return parsePeople(property, filter, needed)
    case 'string_is':
    case 'string_is_not':
    case 'string_contains':
    case 'string_does_not_contain':
    case 'string_starts_with':
    case 'string_ends_with':
      return parseText(filter)
  }
}

function isEmpty(note: NoteFacts, property: MeetingNotesPropertyName): boolean {
  if (property === 'title') return note.title === ''
  return property === 'attendees' && note.attendees.length === 0
}

function parseTimes(property: MeetingNotesPropertyName, bounds: readonly Bound[], needed: FilterContext['needed']): Test {
  if (property === 'created_time') {
    needed.createdWithin.push(...bounds)
    return (note) => isWithinAll(bounds, note.createdTime)
  }
  needed.editedWithin.push(...bounds)
  return (note) => isWithinAll(bounds, note.lastEditedTime)
}

function isWithinAll(bounds: readonly Bound[], time: number): boolean {
  return bounds.every((bound) => isWithin(bound, time))
}

function parsePeople(
  property: MeetingNotesPropertyName,
  { operator, value }: MeetingNotesPersonCondition,
  needed: FilterContext['needed'],
): Test {
  const wanted = new Set((Array.isArray(value) ? value : [value]).map((person) => canonicalId(person.value.id)))
  const isAmong = operator === 'person_contains'
  if (isAmong && property !== 'last_edited_by') needed.people.push([...wanted])
  return (note) => peopleOf(note, property).some((id) => wanted.has(id)) === isAmong
}

/** By operator: whether a title matches a text, both in lower case. */
const TEXT_TESTS: Readonly<Record<MeetingNotesTextCondition['operator'], (title: string, text: string) => boolean>> = {
  string_is: (title, text) => title === text,
  string_is_not: (title, text) => title !== text,
  string_contains: (title, text) => title.includes(text),
  string_does_not_contain: (title, text) => !title.includes(text),
  string_starts_with: (title, text) => title.startsWith(text),
  string_ends_with: (title, text) => title.endsWith(text),
}

function parseText({ operator, value: { value } }: MeetingNotesTextCondition): Test {
  const text = value.toLowerCase()
  return (note) => TEXT_TESTS[operator](note.title.toLowerCase(), text)
}
