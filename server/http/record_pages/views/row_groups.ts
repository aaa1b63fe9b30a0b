import type {
  GroupBy,
  PageObject,
  PropertyConfig,
  PropertyValue,
  SelectColor,
  SelectOption,
} from '../../../../generated/types.ts'
import type { PageView } from '../page_view.ts'
import { joinedPlainText } from '../rich_text.ts'
import { dateText } from '../dates.ts'
import { numberText } from '../number_formats.ts'
import { valueById } from '../values/columns.ts'
import type { RowList } from './row_list.ts'

export interface RowGroup {
  readonly label: string
  readonly color: SelectColor
  readonly rows: readonly PageObject[]
}

interface GroupKey {
  readonly key: string
  readonly label: string
  readonly color?: SelectColor
}

/** The rows by their value of a property. A row with several values is in several groups, and a row without a value in the first group. */
export function rowGroups({ view, source, rows }: RowList, groupBy: GroupBy): RowGroup[] {
  const { property_id: id, property_name: name, hide_empty_groups: hidesEmpty = false } = groupBy
  const config = Object.values(source.properties).find((one) => one.id === id)
  const groups = new Map<string, { label: string; color: SelectColor; rows: PageObject[] }>()
  groups.set('', { label: `No ${config?.name ?? name ?? 'value'}`, color: 'default', rows: [] })
  for (const { name: label, color } of optionsOf(config, groupBy)) groups.set(label, { label, color, rows: [] })
  for (const row of rows) {
    const keys = keysOf(view, valueById(row, id), groupBy, config)
    for (const { key, label, color = 'default' } of keys.length > 0 ? keys : [{ key: '', label: '' }]) {
      const group = groups.get(key) ?? { label, color, rows: [] }
      groups.set(key, group)
      group.rows.push(row)
    }
  }
  return [...groups].filter(([key, group]) => group.rows.length > 0 || (key !== '' && !hidesEmpty)).map(([, group]) => group)
}

function optionsOf(
  config: PropertyConfig | undefined,
  groupBy: GroupBy,
): readonly { readonly name: string; readonly color: SelectColor }[] {
  if (config?.type === 'select') return config.select.options
  if (config?.type === 'multi_select') return config.multi_select.options
  if (config?.type !== 'status') return []
  return isByGroup(groupBy) ? config.status.groups : config.status.options
}

/** The number of leading characters of a date that all rows of a group share. */
const DATE_LENGTHS = { relative: 10, day: 10, week: 10, month: 7, year: 4 } as const

/** Whether options of a status are combined by their groups. */
function isByGroup(groupBy: GroupBy): boolean {
  return groupBy.type === 'status' && groupBy.group_by === 'group'
}

function statusKeys(option: SelectOption | null, groupBy: GroupBy, config: PropertyConfig | undefined): GroupKey[] {
  if (!option || !isByGroup(groupBy) || config?.type !== 'status') return optionKeys(option)
  return optionKeys(config.status.groups.find(({ option_ids: ids }) => ids.includes(option.id)) ?? null)
}

function keysOf(
  view: PageView,
  value: PropertyValue | undefined,
  groupBy: GroupBy,
  config: PropertyConfig | undefined,
): GroupKey[] {
  switch (value?.type) {
    case 'select':
      return optionKeys(value.select)
    case 'status':
      return statusKeys(value.status, groupBy, config)
    case 'multi_select':
      return value.multi_select.flatMap(optionKeys)
    case 'checkbox':
      return [plainKey(value.checkbox ? 'Yes' : 'No')]
    case 'number':
      return value.number === null ? [] : [plainKey(numberText(value.number, view.locale))]
    case 'date':
      return value.date === null ? [] : dateKeys(view, value.date.start, groupBy)
    case 'created_time':
      return dateKeys(view, value.created_time, groupBy)
    case 'last_edited_time':
      return dateKeys(view, value.last_edited_time, groupBy)
    case 'people':
      return value.people.map(personKey)
    case 'created_by':
      return [personKey(value.created_by)]
    case 'last_edited_by':
      return [personKey(value.last_edited_by)]
    case 'relation':
      return value.relation.flatMap(({ id }) =>
        view.titles.has(id) ? [{ key: id, label: view.titles.get(id) || 'Untitled' }] : [],
      )
    case 'title':
      return textKeys(joinedPlainText(value.title))
    case 'rich_text':
      return textKeys(joinedPlainText(value.rich_text))
    case 'url':
      return textKeys(value.url)
    case 'email':
      return textKeys(value.email)
    case 'phone_number':
      return textKeys(value.phone_number)
    case 'formula':
      return value.formula.type === 'string' ? textKeys(value.formula.string) : []
    // Views cannot group by these types.
    case 'files':
    case 'place':
    case 'verification':
    case 'rollup':
    case 'unique_id':
    case 'button':
    case undefined:
      return []
  }
}

function textKeys(text: string | null): GroupKey[] {
  return text === null || text === '' ? [] : [plainKey(text)]
}

function optionKeys(option: { readonly name: string; readonly color: SelectColor } | null): GroupKey[] {
  return option === null ? [] : [{ key: option.name, label: option.name, color: option.color }]
}

function plainKey(label: string): GroupKey {
  return { key: label, label }
}

function personKey(person: { readonly id: string; readonly name?: string | null }): GroupKey {
  return { key: person.id, label: person.name ?? 'Somebody' }
}

function dateKeys(view: PageView, start: string, groupBy: GroupBy): GroupKey[] {
  const isDate = groupBy.type === 'date' || groupBy.type === 'created_time' || groupBy.type === 'last_edited_time'
  const key = start.slice(0, DATE_LENGTHS[isDate ? groupBy.group_by : 'day'])
  return [{ key, label: key.length === 10 ? dateText(key, view.locale) : key }]
}
