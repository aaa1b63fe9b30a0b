import type { DateValue, PlaceValue, SchemaOption } from '../../../generated/types.ts'
import { canonicalId, newId } from '../../kernel/ids.ts'
import { parseDateForm } from '../dates.ts'
import {
  defaultOption,
  hasOptions,
  type ChoiceProperty,
  type PropertyType,
  type StatusProperty,
  type StoredProperty,
} from '../properties/stored.ts'
import { linksOf, type StoredFile, type StoredPerson } from '../properties/value_kinds.ts'
import { OPTIONS_MAX } from '../properties/value_notes.ts'
import { plainText } from '../rich_text/present.ts'
import type { Facts } from '../rich_text/facts.ts'
import type { StoredRichText } from '../rich_text/stored.ts'

/** What turning values into text, and text into people, looks up. */
export interface ConversionFacts {
  readonly facts: Facts
  /** Ids of users by id and by lower-case e-mail address. */
  readonly users: ReadonlyMap<string, string>
}

const TEXTS: ReadonlySet<PropertyType> = new Set(['rich_text', 'url', 'email', 'phone_number'])
const CHOICES: ReadonlySet<PropertyType> = new Set(['select', 'multi_select', 'status'])
const TRUE_WORDS = new Set(['yes', 'true', '1', 'checked'])
const RUN_LENGTH_MAX = 2_000
const LENGTH_MAX: Partial<Record<PropertyType, number>> = { url: 2_000, email: 200, phone_number: 200 }

/**
 * Turns values of one type into those of another, by the table in the contract. Options that texts name come into
 * being on the way: `property` is the column as it is then.
 */
export class Conversion {
  readonly #from: StoredProperty
  #to: StoredProperty

  constructor(from: StoredProperty, to: StoredProperty) {
    this.#from = from
    this.#to = withOptionsOf(from, to)
  }

  get property(): StoredProperty {
    return this.#to
  }

  /** @returns undefined for an empty value */
  convert(stored: unknown, facts: ConversionFacts): unknown {
    const [from, to] = [this.#from.type, this.#to.type]
    if (to === 'unique_id') return undefined
    if (CHOICES.has(from) && CHOICES.has(to)) return this.#choose(idsOf(stored))
    if (TEXTS.has(to)) return asText(to, textOf(this.#from, stored, facts))
    return TEXTS.has(from) ? this.#fromText(textOf(this.#from, stored, facts), facts) : undefined
  }

  #choose(ids: readonly string[]): unknown {
    const known = ids.filter((id) => hasOptions(this.#to) && this.#to.options.some((option) => option.id === id))
    if (this.#to.type === 'multi_select') return known.length > 0 ? known : undefined
    return known[0]
  }

  #fromText(text: string, { users }: ConversionFacts): unknown {
    const words = text.trim()
    switch (this.#to.type) {
      case 'number':
        return leadingNumber(words)
      case 'date':
        return dateIn(words)
      case 'checkbox':
        return TRUE_WORDS.has(words.toLowerCase()) ? true : undefined
      case 'select':
        return words === '' ? undefined : this.#optionNamed(words)
      case 'multi_select':
        return listOrNothing(partsOf(words).flatMap((part) => this.#optionNamed(part) ?? []))
      case 'status':
        return words === '' ? undefined : statusNamed(this.#to, words)
      case 'people':
        return listOrNothing([...new Set(partsOf(words).flatMap((part) => users.get(userKey(part)) ?? []))].map(asPerson))
      default:
        return undefined
    }
  }

  /** An option with this name, made when it is missing; names hold no comma and at most 100 characters. */
  #optionNamed(text: string): string | undefined {
    const property = this.#to as ChoiceProperty
    const name = [...text.replaceAll(',', ' ')].slice(0, 100).join('').trim()
    const known = property.options.find((option) => option.name === name)
    if (known || name === '') return known?.id
    if (property.options.length >= OPTIONS_MAX) return undefined
    const option: SchemaOption = { id: newId(), name, color: 'default', description: null }
    this.#to = { ...property, options: [...property.options, option] }
    return option.id
  }
}

/** A column with options that becomes another one keeps them; as a status, in its first group. */
function withOptionsOf(from: StoredProperty, to: StoredProperty): StoredProperty {
  if (!hasOptions(from) || !hasOptions(to) || from.type === to.type) return to
  const kept = from.options.filter(({ name }) => !to.options.some((option) => option.name === name))
  const options = [...(to.type === 'status' ? [] : to.options), ...(to.type === 'status' ? from.options : kept)]
  if (to.type !== 'status') return { ...to, options: options.length > OPTIONS_MAX ? options.slice(0, OPTIONS_MAX) : options }
  const ids = options.map(({ id }) => id)
  return { ...to, options, groups: to.groups.map((group, index) => ({ ...group, option_ids: index === 0 ? ids : [] })) }
}

function idsOf(stored: unknown): string[] {
  if (typeof stored === 'string') return [stored]
  return Array.isArray(stored) ? (stored as string[]) : []
}

/** The text form of a value; lists joined with `, `. */
function textOf(property: StoredProperty, stored: unknown, { facts }: ConversionFacts): string {
  if (stored === undefined || stored === null) return ''
  const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')
  switch (property.type) {
    case 'title':
    case 'rich_text':
      return plainText(stored as StoredRichText, facts)
    case 'select':
    case 'multi_select':
    case 'status':
      return join(idsOf(stored).map((id) => property.options.find((option) => option.id === id)?.name ?? ''))
    case 'checkbox':
      return 'Yes'
    case 'date': {
      const { start, end } = stored as DateValue
      return end === null ? start : `${start} → ${end}`
    }
    case 'people':
      return join((stored as StoredPerson[]).map(({ id }) => id))
    case 'files':
      return join((stored as StoredFile[]).map(({ name }) => name))
    case 'relation':
      return join(linksOf(stored).ids.map((id) => facts.titles.get(id) ?? ''))
    case 'place': {
      const { name, address, lat, lon } = stored as PlaceValue
      return name ?? address ?? `${lat}, ${lon}`
    }
    case 'verification':
      return 'verified'
    case 'unique_id':
      return property.prefix === null ? String(stored) : `${property.prefix}-${String(stored)}`
    case 'number':
    case 'url':
    case 'email':
    case 'phone_number':
      return String(stored)
    default:
      return ''
  }
}

function asText(type: PropertyType, text: string): unknown {
  if (text === '') return undefined
  if (type !== 'rich_text') return [...text].slice(0, LENGTH_MAX[type]).join('')
  const characters = [...text]
  const runs: { type: 'text'; text: { content: string } }[] = []
  for (let start = 0; start < characters.length && runs.length < 100; start += RUN_LENGTH_MAX)
    runs.push({ type: 'text', text: { content: characters.slice(start, start + RUN_LENGTH_MAX).join('') } })
  return runs
}

function leadingNumber(text: string): number | undefined {
  const [digits] = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(text.slice(0, 400)) ?? []
  const value = digits === undefined ? NaN : Number(digits)
  return Number.isFinite(value) ? value : undefined
}

function dateIn(text: string): DateValue | undefined {
  const [start = '', end] = text.split(' → ', 2)
  try {
    return start === '' ? undefined : parseDateForm({ start, end: end ?? null }, '')
  } catch {
    return undefined
  }
}

function partsOf(text: string): string[] {
  return [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '').slice(0, 100)
}

function statusNamed(property: StatusProperty, name: string): string | undefined {
  return (property.options.find((option) => option.name === name) ?? defaultOption(property))?.id
}

/** How a user is looked up: by id in its stored form, or by e-mail address. */
export function userKey(text: string): string {
  const id = /^[0-9a-f-]{32,36}$/i.test(text) && text.replaceAll('-', '').length === 32 ? canonicalId(text) : undefined
  return id ?? text.toLowerCase()
}

function asPerson(id: string): StoredPerson {
  return { object: 'user', id }
}

/** An empty list is no value. */
function listOrNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}
