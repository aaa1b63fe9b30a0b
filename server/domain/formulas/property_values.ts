import type {
  FormulaValue as FormulaAnswer,
  PeopleItem,
  PropertyValue,
  RollupArrayEntry,
  RollupValue,
} from '../../../generated/types.ts'
import { dateOfValue, parseIsoDate } from './dates.ts'
import { Unsupported } from './failures.ts'
import type { FormulaPerson, FormulaValue } from './values.ts'

/**
 * The value that formulas see of a property value of the contract. Give whole values: formulas take part in all references, also
 * in those that an answer would cut off.
 * @throws Unsupported for a type that formulas cannot read, a relation (which rows give as rows), and an unsupported value
 */
export function formulaValueOf(value: PropertyValue | RollupArrayEntry): FormulaValue {
  switch (value.type) {
    case 'title':
      return plainText(value.title)
    case 'rich_text':
      return plainText(value.rich_text)
    case 'url':
      return value.url ?? ''
    case 'email':
      return value.email ?? ''
    case 'phone_number':
      return value.phone_number ?? ''
    case 'select':
      return value.select?.name ?? ''
    case 'status':
      return value.status?.name ?? ''
    case 'multi_select':
      return value.multi_select.map(({ name }) => name)
    case 'number':
      return value.number
    case 'checkbox':
      return value.checkbox
    case 'unique_id':
      return textOfUniqueId(value.unique_id)
    case 'verification':
      return value.verification?.state ?? 'unverified'
    case 'place':
      return value.place?.name ?? ''
    case 'files':
      return value.files.map((file) => (file.type === 'file' ? file.file.url : file.external.url))
    case 'people':
      return value.people.map(personOf)
    case 'date':
      return value.date === null ? null : dateOfValue(value.date)
    case 'created_time':
      return parseIsoDate(value.created_time)
    case 'last_edited_time':
      return parseIsoDate(value.last_edited_time)
    case 'created_by':
      return personOf(value.created_by)
    case 'last_edited_by':
      return personOf(value.last_edited_by)
    case 'formula':
      return valueOfAnswer(value.formula)
    case 'rollup':
      return formulaValueOfRollup(value.rollup)
    case 'relation':
    case 'button':
      throw new Unsupported(`a property of type ${value.type} has no value of its own in formulas`)
  }
}

function plainText(runs: readonly { readonly plain_text: string }[]): string {
  return runs.map(({ plain_text }) => plain_text).join('')
}

function textOfUniqueId({ prefix, number }: { readonly prefix: string | null; readonly number: number | null }): string {
  if (number === null) return ''
  return prefix === null ? String(number) : `${prefix}-${number}`
}

function personOf(item: PeopleItem): FormulaPerson {
  const email = 'type' in item && item.type === 'person' ? item.person.email : undefined
  return { kind: 'person', id: item.id, name: 'name' in item ? item.name : null, email: email ?? null }
}

function valueOfAnswer(answer: FormulaAnswer): FormulaValue {
  switch (answer.type) {
    case 'number':
      return answer.number
    case 'boolean':
      return answer.boolean
    case 'string':
      return answer.string
    case 'date':
      return answer.date === null ? null : dateOfValue(answer.date)
    case 'unsupported':
      throw new Unsupported('a formula that is read is unsupported')
  }
}

/** The value that formulas see of a whole rollup. @throws Unsupported as `formulaValueOf` */
export function formulaValueOfRollup(rollup: RollupValue): FormulaValue {
  switch (rollup.type) {
    case 'number':
      return rollup.number
    case 'date':
      return rollup.date === null ? null : dateOfValue(rollup.date)
    case 'array':
      return rollup.array.map(formulaValueOf)
    case 'unsupported':
      throw new Unsupported('a rollup that is read is unsupported')
  }
}
