import type {
  NamedFile,
  PeopleItem,
  PlaceValue,
  PropertyConfig,
  PropertyValue,
  RollupArrayEntry,
  RollupValue,
  SelectOption,
  VerificationValue,
  FormulaValue,
} from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { dateValue, momentElement } from '../dates.ts'
import { ownFile, recordPath } from '../links.ts'
import { numberText } from '../number_formats.ts'
import type { PageView } from '../page_view.ts'
import { linked, richTextHtml } from '../rich_text.ts'

type AnyValue = PropertyValue | RollupArrayEntry

/**
 * A value as HTML; null if it is empty. A new type of property does not compile until it is rendered here.
 * @param config the column, for the format of numbers
 */
export function propertyValue(view: PageView, value: AnyValue, config?: PropertyConfig): Html | null {
  switch (value.type) {
    case 'title':
      return value.title.length > 0 ? richTextHtml(view, value.title) : null
    case 'rich_text':
      return value.rich_text.length > 0 ? richTextHtml(view, value.rich_text) : null
    case 'number':
      return numberOf(view, value.number, config)
    case 'select':
      return value.select === null ? null : option(value.select)
    case 'multi_select':
      return list(value.multi_select.map((one) => option(one)))
    case 'status':
      return value.status === null ? null : option(value.status, 'status')
    case 'date':
      return value.date === null ? null : dateValue(value.date, view.locale)
    case 'people':
      return list(value.people.map(person))
    case 'created_by':
      return person(value.created_by)
    case 'last_edited_by':
      return person(value.last_edited_by)
    case 'created_time':
      return momentElement(value.created_time, view.locale)
    case 'last_edited_time':
      return momentElement(value.last_edited_time, view.locale)
    case 'files':
      return list(value.files.map((file) => fileLink(view, file)))
    case 'checkbox':
      return checkbox(value.checkbox)
    case 'url':
      return value.url === null ? null : linked(view, value.url, markup`${value.url}`)
    case 'email':
      return value.email === null ? null : linked(view, `mailto:${value.email}`, markup`${value.email}`)
    case 'phone_number':
      return value.phone_number === null ? null : linked(view, `tel:${value.phone_number}`, markup`${value.phone_number}`)
    case 'relation':
      return relation(view, value.relation, 'has_more' in value && value.has_more)
    case 'place':
      return value.place === null ? null : place(value.place)
    case 'verification':
      return value.verification === null ? null : verification(view, value.verification)
    case 'formula':
      return formula(view, value.formula)
    case 'rollup':
      return rollup(view, value.rollup)
    case 'unique_id':
      return uniqueId(value.unique_id)
    case 'button':
      return markup`<span class="tag">Button</span>`
  }
}

function numberOf(view: PageView, value: number | null, config?: PropertyConfig): Html | null {
  if (value === null) return null
  const format = config?.type === 'number' ? config.number.format : undefined
  return markup`<span class="number">${numberText(value, view.locale, format)}</span>`
}

function list(items: readonly Html[]): Html | null {
  return items.length === 0 ? null : markup`<span class="values">${items}</span>`
}

function option({ name, color }: SelectOption, kind: 'option' | 'status' = 'option'): Html {
  return markup`<span class="${kind} bg-${color}">${name}</span>`
}

function person(user: PeopleItem): Html {
  return markup`<span class="person">${('name' in user && user.name) || 'Somebody'}</span>`
}

function fileLink(view: PageView, file: NamedFile): Html {
  if (file.type === 'external') return markup`<span>${linked(view, file.external.url, markup`${file.name}`)}</span>`
  const path = ownFile(view, file.file.url)
  return path === undefined ? markup`<span>${file.name}</span>` : markup`<a href="${path}">${file.name}</a>`
}

function checkbox(isChecked: boolean): Html {
  return markup`<span class="check${isChecked && markup` done`}" aria-hidden="true"></span><span class="hidden">${isChecked ? 'Yes' : 'No'}</span>`
}

function relation(view: PageView, records: readonly { readonly id: string }[], hasMore: boolean): Html | null {
  const links = records.flatMap(({ id }) => {
    const title = view.titles.get(id)
    return title === undefined ? [] : [markup`<a href="${recordPath(view, id)}">${title || 'Untitled'}</a>`]
  })
  return list(hasMore ? [...links, markup`<span class="soft">and more</span>`] : links)
}

function place({ name, address, lat, lon }: PlaceValue): Html {
  const words = [name, address].filter((word) => word !== null && word !== undefined && word !== '')
  return markup`${words.length > 0 ? words.join(', ') : `${lat}, ${lon}`}`
}

function verification(view: PageView, { state, date, verified_by: by }: VerificationValue): Html {
  const until =
    date !== null &&
    date.end !== null &&
    markup` <span class="soft">until ${dateValue({ ...date, start: date.end, end: null }, view.locale)}</span>`
  return markup`<span class="tag">${state}</span>${by !== null && markup` ${person(by)}`}${until}`
}

function formula(view: PageView, value: FormulaValue): Html | null {
  switch (value.type) {
    case 'string':
      return value.string === null || value.string === '' ? null : markup`${value.string}`
    case 'number':
      return numberOf(view, value.number)
    case 'boolean':
      return value.boolean === null ? null : checkbox(value.boolean)
    case 'date':
      return value.date === null ? null : dateValue(value.date, view.locale)
    case 'unsupported':
      return markup`<span class="soft">Cannot be computed</span>`
  }
}

function rollup(view: PageView, value: RollupValue): Html | null {
  switch (value.type) {
    case 'number':
      return numberOf(view, value.number)
    case 'date':
      return value.date === null ? null : dateValue(value.date, view.locale)
    case 'array':
      return list(value.array.flatMap((entry) => propertyValue(view, entry) ?? []))
    case 'unsupported':
      return markup`<span class="soft">Cannot be computed</span>`
  }
}

function uniqueId({ prefix, number }: { readonly prefix: string | null; readonly number: number | null }): Html | null {
  return number === null ? null : markup`<span class="number">${prefix === null ? String(number) : `${prefix}-${number}`}</span>`
}
