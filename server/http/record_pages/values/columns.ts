import type { DataSourceObject, PageObject, PropertyConfig, PropertyValue, ViewObject } from '../../../../generated/types.ts'

export interface Column {
  readonly name: string
  readonly config: PropertyConfig
}

/** All columns of a data source, the title first. */
export function columnsOfSource({ properties }: Pick<DataSourceObject, 'properties'>): Column[] {
  const columns = Object.entries(properties).map(([name, config]) => ({ name, config }))
  return columns.toSorted((one, other) => Number(other.config.type === 'title') - Number(one.config.type === 'title'))
}

/**
 * The columns that a view shows, in its order. If the view has no settings for columns, tables show all of them, and other views only the
 * title.
 */
export function columnsShown(columns: readonly Column[], configuration: ViewObject['configuration']): Column[] {
  const title = columns.filter(({ config }) => config.type === 'title')
  const settings = configuration && 'properties' in configuration ? configuration.properties : undefined
  const isTable = !configuration || !['board', 'gallery', 'list', 'calendar'].includes(configuration.type)
  if (settings === undefined) return isTable ? [...columns] : title
  const listed = settings.flatMap(({ property_id: id, visible = isTable }) => {
    const column = columns.find(({ config }) => config.id === id)
    return column && (visible || column.config.type === 'title') ? [column] : []
  })
  const isListed = (column: Column): boolean => settings.some(({ property_id: id }) => id === column.config.id)
  const others = isTable ? columns.filter((column) => !isListed(column)) : []
  return title.some(isListed)
    ? [...listed, ...others]
    : [...title, ...listed, ...others.filter((column) => !title.includes(column))]
}

/** The value of a row by the id of its property. */
export function valueById({ properties }: Pick<PageObject, 'properties'>, id: string): PropertyValue | undefined {
  return Object.values(properties).find((value) => value.id === id)
}

export function titleOfRow({ properties }: Pick<PageObject, 'properties'>): Extract<PropertyValue, { type: 'title' }>['title'] {
  return Object.values(properties).find((value) => value.type === 'title')?.title ?? []
}

/** The ids of the records to which the values of rows refer. */
export function relatedIds(rows: readonly Pick<PageObject, 'properties'>[]): string[] {
  const ids = rows
    .flatMap(({ properties }) => Object.values(properties))
    .flatMap((value) => {
      if (value.type === 'relation') return value.relation
      return value.type === 'rollup' && value.rollup.type === 'array'
        ? value.rollup.array.flatMap((entry) => (entry.type === 'relation' ? entry.relation : []))
        : []
    })
    .map(({ id }) => id)
  return [...new Set(ids)].slice(0, RELATED_MAX)
}

const RELATED_MAX = 1_000
