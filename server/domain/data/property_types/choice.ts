import type {
  OptionRequest,
  SchemaOption,
  SelectConfigRequest,
  SelectConfigUpdateRequest,
  StatusConfigRequest,
  StatusConfigUpdateRequest,
} from '../../../../generated/types.ts'
import { idsOf } from '../../../kernel/ids.ts'
import { listOf, TEXT } from '../formulas/types.ts'
import type { OptionsProperty, StatusProperty } from '../properties/stored.ts'
import { OPTIONS_MAX } from '../properties/value_notes.ts'
import { parseOption, parseOptions, type Parse } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import { locationsOf } from '../queries/sort_source.ts'
import { changeStatus, replaceOptions } from './change_options.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, listOrNothing, COLUMN_ONLY, WRITABLE, OWN_KEY } from './common.ts'
import { newOptions, newStatus } from './new_options.ts'
import type { ConfigFacet, FilterFacet, OptionsFacet, PropertyFacets, RollupFacet } from './property_facets.ts'
import { commaSeparated } from './words.ts'

type Choice = 'select' | 'multi_select'
type ShownOption = Pick<SchemaOption, 'id' | 'name' | 'color'>

const OPTIONS: OptionsFacet = {
  ids: (stored) => (typeof stored === 'string' ? [stored] : ((stored ?? []) as string[])),
  keep: ([first]) => first,
  adopt: (property, added) => {
    const kept = added.filter(({ name }) => !property.options.some((option) => option.name === name))
    return { ...property, options: [...property.options, ...kept].slice(0, OPTIONS_MAX) }
  },
}

const config = {
  ...WITHOUT_SETTINGS,
  settings: {
    create: ({ options }: SelectConfigRequest, path) => ({ options: newOptions(options ?? [], `${path}.options`) }),
    change: ({ options: before }, { options }: SelectConfigUpdateRequest, path) => ({
      options: options ? replaceOptions(before, options, `${path}.options`) : before,
    }),
  },
  present: ({ options }) => ({ options }),
  options: OPTIONS,
} satisfies ConfigFacet<Choice>

/** A single option, stored by its id. */
const single = {
  value: {
    ...WRITABLE,
    write: (written: OptionRequest | null, path, property, notes) =>
      written === null ? undefined : notes.chooseOption(property, written, path, true),
    present: (stored: string | undefined, { options }) => shownOption(options, stored) ?? null,
    transfer: (stored, from, to) => transferred(OPTIONS, stored, from, to),
    keys: (stored: string) => [{ textKey: stored }],
  },
  filter: optionFilter(parseOption),
  sort: (property) => ({ kind: 'options', propertyId: property.id, order: orderOf(property) }),
  formula: { type: TEXT, value: (option) => option?.name ?? '', describe: 'none' },
  items: 'whole',
} satisfies Omit<PropertyFacets<'select' | 'status'>, 'config' | 'conversion' | 'rollup' | 'view'>

const toRollup = {
  ...BY_PLAIN_VALUE,
  toPlain: (option) => (option ? [option.id] : []),
  sort: (option, property) => locationsOf(option ? [option.id] : [], orderOf(property)),
} satisfies Omit<RollupFacet<'select' | 'status'>, 'source' | 'condition'>

export const select: PropertyFacets<'select'> = {
  ...single,
  config,
  conversion: {
    toText: textOf,
    fromText: { of: 'texts', parse: (text, { optionNamed }) => (text.trim() === '' ? undefined : optionNamed(text.trim())) },
    lookups: 'none',
  },
  rollup: { ...toRollup, source: 'none', condition: 'select' },
  view: { ...COLUMN_ONLY, group: 'select', defaults: { ...COLUMN_ONLY.defaults, board: 2, chart: 1 } },
}

/** Options in groups. A row without a value has the first option of the first group. */
export const status: PropertyFacets<'status'> = {
  ...single,
  config: {
    ...WITHOUT_SETTINGS,
    settings: {
      create: (content: StatusConfigRequest, path) => newStatus(content, `${path}.options`),
      change: (property, content: StatusConfigUpdateRequest, path) => changeStatus(property, content, `${path}.options`),
    },
    present: ({ options, groups }) => ({ options, groups }),
    options: { ...OPTIONS, adopt: adoptInFirstGroup },
  },
  value: {
    ...single.value,
    write: (written: OptionRequest | null, path, property, notes) =>
      written === null ? defaultOption(property)?.id : notes.chooseOption(property, written, path, false),
    initial: (property) => defaultOption(property)?.id,
  },
  conversion: {
    toText: textOf,
    fromText: { of: 'texts', parse: (text, { property }) => (text.trim() === '' ? undefined : optionFor(property, text.trim())) },
    lookups: 'none',
  },
  rollup: { ...toRollup, source: 'status', condition: 'status' },
  view: {
    ...COLUMN_ONLY,
    group: 'status',
    grouping: { group_by: 'option' },
    defaults: { ...COLUMN_ONLY.defaults, board: 1, chart: 2 },
  },
}

const LIST: OptionsFacet = { ...OPTIONS, keep: listOrNothing }

export const multi_select: PropertyFacets<'multi_select'> = {
  config: { ...config, options: LIST },
  value: {
    ...WRITABLE,
    write: (written: OptionRequest[], path, property, notes) =>
      listOrNothing([
        ...new Set(written.map((option, index) => notes.chooseOption(property, option, `${path}[${index}]`, true))),
      ]),
    present: (stored: readonly string[] | undefined, { options }) =>
      (stored ?? []).flatMap((id) => shownOption(options, id) ?? []),
    transfer: (stored, from, to) => transferred(LIST, stored, from, to),
    keys: (stored: readonly string[]) => stored.map((id) => ({ textKey: id })),
  },
  conversion: {
    toText: textOf,
    fromText: {
      of: 'texts',
      parse: (text, { optionNamed }) => listOrNothing(commaSeparated(text).flatMap((part) => optionNamed(part) ?? [])),
    },
    lookups: 'none',
  },
  filter: optionFilter(parseOptions),
  sort(property) {
    const order = idsOf(property.options)
    return { kind: 'value', property, valueOf: ({ values }) => locationsOf(LIST.ids(values[property.id]), order) }
  },
  formula: { type: listOf(TEXT), value: (options) => options.map(({ name }) => name), describe: 'none' },
  rollup: {
    ...BY_PLAIN_VALUE,
    source: 'none',
    toPlain: (options) => options.map(({ id }) => id),
    elements: 'each',
    condition: 'multi_select',
    sort: (shown, { options }) => locationsOf(idsOf(shown), idsOf(options)),
  },
  view: { ...COLUMN_ONLY, group: 'multi_select', defaults: { ...COLUMN_ONLY.defaults, board: 4 } },
  items: 'whole',
}

function shownOption(options: readonly SchemaOption[], id: string | undefined): ShownOption | undefined {
  const option = options.find((one) => one.id === id)
  return option && { id: option.id, name: option.name, color: option.color }
}

function optionFilter(parse: Parse<unknown>): FilterFacet<OptionsProperty['type']> {
  return {
    ...OWN_KEY,
    parse: (property, condition, place, { viewer }) =>
      indexedCriterion(property.id, parse(condition, place, viewer, property), 'keys', ({ values }) =>
        existingOptions(property, OPTIONS.ids(values[property.id])),
      ),
  }
}

/** Omits options that no longer exist. */
function existingOptions({ options }: OptionsProperty, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => options.some((option) => option.id === id))
}

/** Maps the options of a value to the options of the same names in another column. */
function transferred({ ids, keep }: OptionsFacet, stored: unknown, from: OptionsProperty, to: OptionsProperty): unknown {
  return keep(
    ids(stored).flatMap((id) => {
      const name = from.options.find((option) => option.id === id)?.name
      return to.options.find((option) => option.name === name)?.id ?? []
    }),
  )
}

function textOf(stored: unknown, { options }: OptionsProperty): string {
  const names = OPTIONS.ids(stored).map((id) => options.find((option) => option.id === id)?.name ?? '')
  return names.filter((name) => name !== '').join(', ')
}

/** The option that a status column gives to new rows: the first of its first group. */
function defaultOption({ groups, options }: StatusProperty): SchemaOption | undefined {
  const id = groups[0]?.option_ids[0]
  return options.find((option) => option.id === id)
}

function optionFor(property: StatusProperty, name: string): string | undefined {
  return (property.options.find((option) => option.name === name) ?? defaultOption(property))?.id
}

function adoptInFirstGroup(property: OptionsProperty, options: readonly SchemaOption[]): OptionsProperty {
  if (property.type !== 'status') return property
  const ids = idsOf(options)
  return {
    ...property,
    options,
    groups: property.groups.map((group, index) => ({ ...group, option_ids: index === 0 ? ids : [] })),
  }
}

/** Option ids in the order of sorts: group by group if there are groups. */
function orderOf(property: OptionsProperty): string[] {
  const ids = idsOf(property.options)
  const groups = property.type === 'status' ? property.groups : []
  return [...new Set([...groups.flatMap((group) => group.option_ids.filter((id) => ids.includes(id))), ...ids])]
}
