/** How each type of property is stored: the settings of its columns, the values of rows, and their index. */

import { dateForm, namedFile, optionColors, person, richTextForm } from './common_forms.ts'
import { either, flagForm, id, list, members, nullable, numberForm, object, oneOfTexts, text, type Form } from './form.ts'

/** How a column is indexed: by numbers, by texts, or by ids of options, people or pages. */
export type KeyKind = 'number' | 'text' | 'option' | 'person' | 'page'

interface StoredType {
  readonly settings?: Readonly<Record<string, Form>>
  /** Omitted if rows do not store a value. */
  readonly value?: Form
  /** Omitted if values are not indexed. */
  readonly keys?: KeyKind
}

const optionColor = oneOfTexts(optionColors)
const options = list(object({ id: text, name: text, color: optionColor }, { description: nullable(text) }))
const groups = list(object({ id: text, name: text, color: optionColor, option_ids: list(text) }))
const links = object({ ids: list(id) }, { more: flagForm })
const verification = object({ date: nullable(dateForm), verifiedBy: text })
const place = object({ lat: numberForm, lon: numberForm }, { name: nullable(text), address: nullable(text) })

const storedTypes: Readonly<Record<string, StoredType>> = {
  title: { keys: 'text' },
  rich_text: { value: richTextForm, keys: 'text' },
  url: { value: text, keys: 'text' },
  email: { value: text, keys: 'text' },
  phone_number: { value: text, keys: 'text' },
  number: { settings: { format: text }, value: numberForm, keys: 'number' },
  unique_id: { settings: { prefix: nullable(text) }, value: numberForm, keys: 'number' },
  checkbox: { value: flagForm, keys: 'number' },
  select: { settings: { options }, value: text, keys: 'option' },
  multi_select: { settings: { options }, value: list(text), keys: 'option' },
  status: { settings: { options, groups }, value: text, keys: 'option' },
  date: { value: dateForm, keys: 'number' },
  created_time: {},
  last_edited_time: {},
  people: { value: list(person), keys: 'person' },
  created_by: {},
  last_edited_by: {},
  files: { value: list(namedFile), keys: 'text' },
  relation: { settings: { dataSourceId: id }, value: links, keys: 'page' },
  place: { value: place, keys: 'text' },
  verification: { value: verification, keys: 'number' },
  formula: { settings: { expression: text } },
  rollup: { settings: { function: text, relationId: text, targetId: text } },
  button: {},
  location: {},
  last_visited_time: {},
}

function eachType<T>(facet: (type: StoredType) => T | undefined): Readonly<Record<string, T>> {
  const found = Object.entries(storedTypes).flatMap(([name, type]) => {
    const value = facet(type)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

/** The form of a column of a data source, by type. */
export const propertyForms = eachType(({ settings }) =>
  object({ id: text, name: text, description: nullable(text), ...settings }, { hidden: members }),
)

/** The form of a value, by type of property. Types that are omitted do not store values. */
export const valueForms = eachType(({ value }) => value)

/** The form of a value of a property of any type. */
export const anyValue = either('the value of a property', ...new Set(Object.values(valueForms)))

export const keyKinds = eachType(({ keys }) => keys)
