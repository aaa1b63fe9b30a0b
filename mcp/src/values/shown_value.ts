import {
  plainText,
  type DateValue,
  type FormulaValue,
  type NamedFile,
  type PeopleItem,
  type PropertyValue,
  type RollupValue,
} from '../../../client/src/index.ts'

/** The value of a property in as few words as possible: texts, numbers, names of options and people, ids of pages. */
export type ShownValue = string | number | boolean | null | readonly ShownValue[]

/** The value of a property without its form in the API. */
export function shownValue(value: PropertyValue): ShownValue {
  switch (value.type) {
    case 'title':
      return plainText(value.title)
    case 'rich_text':
      return plainText(value.rich_text)
    case 'number':
      return value.number
    case 'select':
      return value.select?.name ?? null
    case 'status':
      return value.status?.name ?? null
    case 'multi_select':
      return value.multi_select.map(({ name }) => name)
    case 'date':
      return plainDate(value.date)
    case 'people':
      return value.people.map(nameOfPerson)
    case 'files':
      return value.files.map(fileName)
    case 'checkbox':
      return value.checkbox
    case 'url':
      return value.url
    case 'email':
      return value.email
    case 'phone_number':
      return value.phone_number
    case 'relation':
      return [...value.relation.map(({ id }) => id), ...(value.has_more ? ['…'] : [])]
    case 'place':
      return value.place && (value.place.name ?? value.place.address ?? `${value.place.lat}, ${value.place.lon}`)
    case 'verification':
      return value.verification?.state ?? null
    case 'formula':
      return plainFormula(value.formula)
    case 'rollup':
      return plainRollup(value.rollup)
    case 'unique_id':
      return [value.unique_id.prefix, value.unique_id.number].filter((part) => part !== null).join('-')
    case 'created_time':
      return value.created_time
    case 'last_edited_time':
      return value.last_edited_time
    case 'created_by':
      return nameOfPerson(value.created_by)
    case 'last_edited_by':
      return nameOfPerson(value.last_edited_by)
    case 'button':
      return null
  }
}

/** A date, or two that a slash separates, as in ISO 8601. */
export function plainDate(date: DateValue | null): string | null {
  return date && (date.end === null ? date.start : `${date.start}/${date.end}`)
}

/** The name of a person, bot or group; the id where the token may not read it. */
export function nameOfPerson(person: PeopleItem): string {
  return 'name' in person && person.name ? person.name : person.id
}

function fileName(file: NamedFile): string {
  return file.type === 'external' ? file.external.url : file.name
}

function plainFormula(formula: FormulaValue): ShownValue {
  switch (formula.type) {
    case 'string':
      return formula.string
    case 'number':
      return formula.number
    case 'boolean':
      return formula.boolean
    case 'date':
      return plainDate(formula.date)
    case 'unsupported':
      return null
  }
}

function plainRollup(rollup: RollupValue): ShownValue {
  switch (rollup.type) {
    case 'number':
      return rollup.number
    case 'date':
      return plainDate(rollup.date)
    case 'array':
      return rollup.array.map((entry) => shownValue({ id: '', has_more: false, ...entry } as PropertyValue))
    case 'unsupported':
      return null
  }
}
