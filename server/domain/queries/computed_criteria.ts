import type {
  FormulaCondition,
  FormulaValue,
  RollupArrayEntry,
  RollupCondition,
  RollupSubfilter,
  RollupValue,
} from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import type { ResultType } from '../formulas/index.ts'
import type { FormulaProperty, RollupProperty } from '../properties/stored.ts'
import { rollupFunctions } from '../rollups/index.ts'
import { listHolds, numberHolds, textHolds } from './checks.ts'
import {
  parseCheckbox,
  parseDateCondition,
  parseExistence,
  parseNumberCondition,
  parseOption,
  parseOptions,
  parsePeople,
  parseRelation,
  parseText,
} from './conditions.ts'
import type { Criterion } from './criterion.ts'
import type { GatheredProperty, QuerySchema } from './schema.ts'

/** The keys of conditions on formulas, by what a formula gives. */
const FORMULA_KEYS: Readonly<Record<ResultType, keyof FormulaCondition>> = {
  string: 'string',
  boolean: 'checkbox',
  number: 'number',
  date: 'date',
}

type FormulaTest = (value: FormulaValue) => boolean

/** @throws ServiceError `validation_error` where the condition does not fit what the formula gives */
export function formulaCriterion(
  schema: QuerySchema,
  property: FormulaProperty,
  condition: FormulaCondition,
  place: string,
): Criterion {
  const resultType = schema.resultTypes.get(property.id)
  const [key = ''] = Object.keys(condition)
  const named = `the formula ${JSON.stringify(property.name)}`
  if (resultType === undefined) throw invalid(place, `should be not present: the type of ${named} cannot be determined`)
  if (FORMULA_KEYS[resultType] !== key) {
    throw invalid(
      `${place}.${key}`,
      `should be a condition named ${FORMULA_KEYS[resultType]} instead of ${key}: ${named} gives values of type ${resultType}`,
    )
  }
  const test = formulaTest(schema, condition, place)
  return {
    test: { kind: 'unknown' },
    holds: (row) => test(row.computed.get(property.id) as FormulaValue),
    needs: { columns: [property], links: [] },
  }
}

function formulaTest(schema: QuerySchema, { string, checkbox, number, date }: FormulaCondition, place: string): FormulaTest {
  if (string) {
    const check = parseText(string)
    return (value) => textHolds(check, value.type === 'string' ? (value.string ?? '') : '')
  }
  if (checkbox) {
    const isChecked = parseCheckbox(checkbox)
    return (value) => (value.type === 'boolean' && value.boolean === true) === isChecked
  }
  if (number) {
    const check = parseNumberCondition(number)
    return (value) => numberHolds(check, value.type === 'number' ? value.number : null)
  }
  const check = parseDateCondition(date ?? {}, schema.asker, `${place}.date`)
  return (value) => numberHolds(check, value.type === 'date' && value.date ? Date.parse(value.date.start) : null)
}

/** @throws ServiceError `validation_error` where the condition does not fit what the rollup gives */
export function rollupCriterion(
  schema: QuerySchema,
  property: RollupProperty,
  condition: RollupCondition,
  place: string,
): Criterion {
  const { result } = rollupFunctions[property.function]
  const [key = ''] = Object.keys(condition)
  const keys = result === 'array' ? ['any', 'every', 'none'] : [result]
  if (!keys.includes(key)) {
    throw invalid(
      `${place}.${key}`,
      `should be a condition named ${keys.join(', ')} instead of ${key}: the rollup ${JSON.stringify(property.name)} gives values of type ${result}`,
    )
  }
  const test = rollupTest(schema, property, condition, place)
  return {
    test: { kind: 'unknown' },
    holds: (row) => test(row.computed.get(property.id) as RollupValue),
    needs: { columns: [property], links: [] },
  }
}

function rollupTest(
  schema: QuerySchema,
  property: RollupProperty,
  { any, every, none, number, date }: RollupCondition,
  place: string,
): (value: RollupValue) => boolean {
  if (number) {
    const check = parseNumberCondition(number)
    return (value) => numberHolds(check, value.type === 'number' ? value.number : null)
  }
  if (date) {
    const check = parseDateCondition(date, schema.asker, `${place}.date`)
    return (value) => numberHolds(check, value.type === 'date' && value.date ? Date.parse(value.date.start) : null)
  }
  const key = any ? 'any' : every ? 'every' : 'none'
  const gathered = schema.gathered.get(property.id)
  if (!gathered) throw invalid(`${place}.${key}`, 'should be not present: what the rollup gathers is gone')
  const holds = elementTest(schema, gathered, any ?? every ?? none ?? {}, `${place}.${key}`)
  const elements = (value: RollupValue): readonly RollupArrayEntry[] => (value.type === 'array' ? value.array : [])
  if (any) return (value) => elements(value).some(holds)
  if (none) return (value) => !elements(value).some(holds)
  return (value) => elements(value).length > 0 && elements(value).every(holds)
}

type ElementTest = (element: RollupArrayEntry) => boolean

/** Which key takes elements of which type. */
const ELEMENT_KEYS: Readonly<Record<string, keyof RollupSubfilter>> = {
  title: 'rich_text',
  rich_text: 'rich_text',
  url: 'rich_text',
  email: 'rich_text',
  phone_number: 'rich_text',
  number: 'number',
  unique_id: 'number',
  checkbox: 'checkbox',
  select: 'select',
  status: 'status',
  multi_select: 'multi_select',
  relation: 'relation',
  date: 'date',
  created_time: 'date',
  last_edited_time: 'date',
  people: 'people',
  created_by: 'people',
  last_edited_by: 'people',
  files: 'files',
}

/** Formulas among the elements count as what they give. */
const RESULT_KEYS: Readonly<Record<ResultType, keyof RollupSubfilter>> = {
  string: 'rich_text',
  number: 'number',
  boolean: 'checkbox',
  date: 'date',
}

function elementTest(
  schema: QuerySchema,
  { property, resultType }: GatheredProperty,
  condition: RollupSubfilter,
  place: string,
): ElementTest {
  const [key = ''] = Object.keys(condition)
  const fitting = property.type === 'formula' ? resultType && RESULT_KEYS[resultType] : ELEMENT_KEYS[property.type]
  if (fitting !== key) {
    const words = fitting === undefined ? 'should be not present' : `should be a condition named ${fitting} instead of ${key}`
    throw invalid(`${place}.${key}`, `${words}: the elements are of type ${property.type}`)
  }
  const { rich_text: text, number, checkbox, select, status, multi_select: choices, relation, date, people, files } = condition
  const path = `${place}.${key}`
  if (text) {
    const check = parseText(text)
    return (element) => textHolds(check, textOfElement(element))
  }
  if (number) {
    const check = parseNumberCondition(number)
    return (element) => numberHolds(check, numberOfElement(element))
  }
  if (checkbox) {
    const isChecked = parseCheckbox(checkbox)
    return (element) => isCheckedElement(element) === isChecked
  }
  if (date) {
    const check = parseDateCondition(date, schema.asker, path)
    return (element) => numberHolds(check, timeOfElement(element))
  }
  const single = select ?? status
  const check = single
    ? parseOption(single, property, path)
    : choices
      ? parseOptions(choices, property, path)
      : people
        ? parsePeople(people, schema.asker)
        : relation
          ? parseRelation(relation)
          : parseExistence(files ?? {})
  return (element) => listHolds(check, idsOfElement(element))
}

/** The text of an element, empty where it has none. */
export function textOfElement(element: RollupArrayEntry): string {
  switch (element.type) {
    case 'title':
      return element.title.map((run) => run.plain_text).join('')
    case 'rich_text':
      return element.rich_text.map((run) => run.plain_text).join('')
    case 'url':
      return element.url ?? ''
    case 'email':
      return element.email ?? ''
    case 'phone_number':
      return element.phone_number ?? ''
    case 'place':
      return element.place?.name ?? ''
    case 'formula':
      return element.formula.type === 'string' ? (element.formula.string ?? '') : ''
    default:
      return ''
  }
}

export function numberOfElement(element: RollupArrayEntry): number | null {
  if (element.type === 'number') return element.number
  if (element.type === 'unique_id') return element.unique_id.number
  return element.type === 'formula' && element.formula.type === 'number' ? element.formula.number : null
}

export function isCheckedElement(element: RollupArrayEntry): boolean {
  if (element.type === 'checkbox') return element.checkbox
  return element.type === 'formula' && element.formula.type === 'boolean' && element.formula.boolean === true
}

/** The start of a date in milliseconds. */
export function timeOfElement(element: RollupArrayEntry): number | null {
  if (element.type === 'date') return element.date && Date.parse(element.date.start)
  if (element.type === 'created_time') return Date.parse(element.created_time)
  if (element.type === 'last_edited_time') return Date.parse(element.last_edited_time)
  const date = element.type === 'formula' && element.formula.type === 'date' ? element.formula.date : null
  return date && Date.parse(date.start)
}

/** The ids of options, people or pages; one text for each file. */
export function idsOfElement(element: RollupArrayEntry): string[] {
  switch (element.type) {
    case 'select':
      return element.select ? [element.select.id] : []
    case 'status':
      return element.status ? [element.status.id] : []
    case 'multi_select':
      return element.multi_select.map(({ id }) => id)
    case 'people':
      return element.people.map(({ id }) => id)
    case 'relation':
      return element.relation.map(({ id }) => id)
    case 'created_by':
      return [element.created_by.id]
    case 'last_edited_by':
      return [element.last_edited_by.id]
    case 'files':
      return element.files.map(({ name }) => name)
    default:
      return []
  }
}
