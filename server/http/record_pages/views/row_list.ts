import type { DataSourceObject, PageObject, ViewObject } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { iconElement } from '../icon.ts'
import { recordPath } from '../links.ts'
import type { PageView } from '../page_view.ts'
import { richTextHtml } from '../rich_text.ts'
import type { Column } from '../values/columns.ts'
import { titleOfRow } from '../values/columns.ts'
import { propertyValue } from '../values/property_value.ts'

/** The rows of a view, and how it shows them. */
export interface RowList {
  readonly view: PageView
  readonly source: Pick<DataSourceObject, 'properties'>
  /** The columns that the view shows. */
  readonly columns: readonly Column[]
  readonly rows: readonly PageObject[]
  readonly configuration: ViewObject['configuration']
}

/** The title of a row, as a link that opens the row. */
export function rowLink(view: PageView, row: PageObject): Html {
  const title = titleOfRow(row)
  // A link within the title would end the link that opens the row.
  const text = title.map((item) => ({ ...item, href: null }))
  const isPlain = title.every(({ type }) => type !== 'mention')
  const words =
    title.length === 0
      ? markup`Untitled`
      : isPlain
        ? richTextHtml(view, text)
        : markup`${title.map(({ plain_text: plain }) => plain).join('')}`
  return markup`<a class="row-title" href="${recordPath(view, row.id)}">${iconElement(view, row.icon)}<span>${words}</span></a>`
}

/** The non-empty values of a row, without its title. */
export function rowDetails({ view, columns }: RowList, row: PageObject): Html | undefined {
  const details = columns.flatMap(({ name, config }) => {
    const value = row.properties[name]
    const shown = value && value.type !== 'title' ? propertyValue(view, value, config) : null
    return shown ? [markup`<div><dt>${name}</dt><dd>${shown}</dd></div>`] : []
  })
  return details.length === 0 ? undefined : markup`<dl class="details">${details}</dl>`
}
