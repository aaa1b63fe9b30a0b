import type {
  DateValue,
  DateValueRequest,
  NamedFileRequest,
  OptionRequest,
  PeopleItemRequest,
  PlaceValue,
  PlaceValueRequest,
  RichTextItemRequest,
  SchemaOption,
  VerificationValue,
  VerificationValueRequest,
} from '../../../generated/types.ts'
import { presentFile, storedFile, type StoredFile as HostedFile } from '../file_uploads/stored.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { parseDateForm } from '../dates.ts'
import { invalid } from '../failures.ts'
import type { Facts } from '../rich_text/facts.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { storeRichText } from '../rich_text/write.ts'
import { partialUser } from '../users/present.ts'
import { presentWithFewNames } from '../rich_text/present.ts'
import { hasOptions, type PropertyType, type StatusProperty, defaultOption, type StoredProperty } from './stored.ts'
import type { ValueNotes } from './value_notes.ts'

/** What reading a value may need besides the value. */
export interface ValueFacts {
  readonly facts: Facts
  readonly groups: ReadonlyMap<string, string | null>
  readonly now: number
  /** References of one value that are filled in. */
  readonly referencesMax: number
}

/** How values of one type are written, kept and read. The contract has checked the written shape before. */
export interface ValueKind {
  /** The stored form of a written value; undefined for an empty one. */
  write(written: unknown, path: string, property: StoredProperty, notes: ValueNotes): unknown
  /** What stands under the key named by the type. */
  read(stored: unknown, property: StoredProperty, facts: ValueFacts): unknown
}

export interface StoredPerson {
  readonly object: 'user' | 'group'
  readonly id: string
}

export interface StoredVerification {
  readonly date: DateValue | null
  readonly verifiedBy: string
}

/** The first links of a relation, and whether there are more of them in the index. */
export interface StoredLinks {
  readonly ids: readonly string[]
  readonly more?: true
}

/** One of an upload without a name of its own has an empty one, and is called like the upload. */
export type StoredFile = { readonly name: string } & (
  { readonly type: 'external'; readonly external: { readonly url: string } } | HostedFile
)

const richText: ValueKind = {
  write: (written, path, _property, { references }) =>
    orNothing(storeRichText(written as RichTextItemRequest[], path, references)),
  read: (stored, _property, { facts, referencesMax }) =>
    presentWithFewNames((stored ?? []) as StoredRichText, facts, referencesMax),
}

/** A text, or null for none. */
const plainText: ValueKind = {
  write: (written) => written ?? undefined,
  read: (stored) => stored ?? null,
}

const number: ValueKind = {
  write(written, path) {
    if (typeof written === 'number' && !Number.isFinite(written)) throw invalid(path, 'should be a finite number')
    return written ?? undefined
  },
  read: (stored) => stored ?? null,
}

const checkbox: ValueKind = {
  write: (written) => (written === true ? true : undefined),
  read: (stored) => stored === true,
}

const select: ValueKind = {
  write: (written, path, property, notes) =>
    written === null ? undefined : notes.chooseOption(property, written as OptionRequest, path),
  read: (stored, property) => readOption(property, stored),
}

const multiSelect: ValueKind = {
  write: (written, path, property, notes) =>
    orNothing([
      ...new Set((written as OptionRequest[]).map((option, index) => notes.chooseOption(property, option, `${path}[${index}]`))),
    ]),
  read: (stored, property) => ((stored ?? []) as string[]).flatMap((id) => readOption(property, id) ?? []),
}

const status: ValueKind = {
  write(written, path, property, notes) {
    if (written !== null) return notes.chooseOption(property, written as OptionRequest, path)
    return defaultOption(property as StatusProperty)?.id
  },
  read: (stored, property) => readOption(property, stored),
}

function readOption(property: StoredProperty, id: unknown): Pick<SchemaOption, 'id' | 'name' | 'color'> | null {
  const option = hasOptions(property) ? property.options.find((one) => one.id === id) : undefined
  return option ? { id: option.id, name: option.name, color: option.color } : null
}

const date: ValueKind = {
  write: (written, path) => (written === null ? undefined : parseDateForm(written as DateValueRequest, path)),
  read: (stored) => stored ?? null,
}

const people: ValueKind = {
  write: (written, path, _property, notes) => {
    const found = new Map<string, StoredPerson>()
    for (const [index, { id, object = 'user' }] of (written as PeopleItemRequest[]).entries()) {
      const person = { object, id: canonicalId(id) }
      if (!found.has(person.id)) found.set(person.id, person)
      notes.people.push({ ...person, path: `${path}[${index}].id` })
    }
    return orNothing([...found.values()])
  },
  read: (stored, _property, facts) =>
    ((stored ?? []) as StoredPerson[]).slice(0, facts.referencesMax).map((person) => presentPersonOrGroup(person, facts)),
}

/** A member or a group as values show it. */
export function presentPersonOrGroup({ object, id }: StoredPerson, { facts, groups }: ValueFacts): object {
  if (object === 'group') return { object: 'group', id, name: groups.get(id) ?? null }
  return facts.users.get(id) ?? partialUser(id)
}

const files: ValueKind = {
  write: (written, path, _property, notes) =>
    orNothing((written as NamedFileRequest[]).map((file, index) => storeFile(file, `${path}[${index}]`, notes))),
  read: (stored, _property, { facts }) =>
    ((stored ?? []) as StoredFile[]).map((file) =>
      file.type === 'file'
        ? { name: file.name || (facts.files.get(file.file.id)?.name ?? ''), ...presentFile(file, facts) }
        : file,
    ),
}

function storeFile(file: NamedFileRequest, path: string, { references, heldFile }: ValueNotes): StoredFile {
  if ('external' in file) return { name: file.name, type: 'external', external: { url: file.external.url } }
  if ('file' in file) {
    const held = heldFile(file.file.url)
    if (held === undefined)
      throw invalid(`${path}.file.url`, 'should be the address of a file that this page holds, as it was read, before its end')
    return { name: file.name, ...storedFile(held) }
  }
  const id = references.addUpload(file.file_upload.id, `${path}.file_upload.id`, 'any')
  return { name: file.name ?? '', ...storedFile(id) }
}

const relation: ValueKind = {
  write(written, path, property, notes) {
    const ids = (written as { id: string }[]).map(({ id }) => canonicalId(id))
    ids.forEach((id, index) => notes.linked.push({ property, id, path: `${path}[${index}].id` }))
    return orNothing([...new Set(ids)], (links): StoredLinks => ({ ids: links }))
  },
  read: (stored, _property, { referencesMax }) =>
    linksOf(stored)
      .ids.slice(0, referencesMax)
      .map((id) => ({ id })),
}

export function linksOf(stored: unknown): StoredLinks {
  return (stored ?? { ids: [] }) as StoredLinks
}

const place: ValueKind = {
  write(written): PlaceValue | undefined {
    if (written === null) return undefined
    const { lat, lon, name, address, aws_place_id: aws, google_place_id: google } = written as PlaceValueRequest
    return { lat, lon, name: name ?? null, address: address ?? null, aws_place_id: aws ?? null, google_place_id: google ?? null }
  },
  read: (stored) => stored ?? null,
}

const verification: ValueKind = {
  write(written, path, _property, notes): StoredVerification | undefined {
    const value = written as VerificationValueRequest
    if (value.state !== 'verified') return undefined
    const read = value.date ? parseDateForm(value.date, `${path}.date`) : null
    if (read !== null && !read.start.includes('T')) throw invalid(`${path}.date.start`, 'should have a time')
    return { date: read && inUtc(read), verifiedBy: notes.userId }
  },
  read(stored, _property, { facts, now }): VerificationValue {
    if (stored === undefined) return { state: 'unverified', date: null, verified_by: null }
    const { date: period, verifiedBy } = stored as StoredVerification
    return {
      state: isExpired(period, now) ? 'expired' : 'verified',
      date: period,
      verified_by: facts.users.get(verifiedBy) ?? partialUser(verifiedBy),
    }
  },
}

export function isExpired(period: DateValue | null, now: number): boolean {
  return period !== null && period.end !== null && Date.parse(period.end) <= now
}

function inUtc({ start, end }: DateValue): DateValue {
  return { start: new Date(start).toISOString(), end: end === null ? null : new Date(end).toISOString(), time_zone: null }
}

/** Every type whose values rows hold. A title is kept with the block, since every page has one. */
export const valueKinds: Partial<Record<PropertyType, ValueKind>> = {
  title: richText,
  rich_text: richText,
  number,
  url: plainText,
  email: plainText,
  phone_number: plainText,
  checkbox,
  select,
  multi_select: multiSelect,
  status,
  date,
  people,
  files,
  relation,
  place,
  verification,
}

function orNothing<T>(list: readonly T[], wrap: (list: readonly T[]) => unknown = (same) => same): unknown {
  return list.length === 0 ? undefined : wrap(list)
}
