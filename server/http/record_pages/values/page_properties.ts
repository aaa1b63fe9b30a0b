import type { PageObject } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import type { PageView } from '../page_view.ts'
import type { Column } from './columns.ts'
import { propertyValue } from './property_value.ts'

/** The properties of a row above its content. @param columns undefined if the reader does not see the data source */
export function pageProperties(
  view: PageView,
  { properties }: PageObject,
  columns: readonly Column[] | undefined,
): Html | undefined {
  const names = columns?.map(({ name }) => name) ?? Object.keys(properties)
  const shown = names.flatMap((name) => {
    const value = properties[name]
    if (value === undefined || value.type === 'title') return []
    const config = columns?.find((column) => column.name === name)?.config
    return [
      markup`<div><dt>${name}</dt><dd>${propertyValue(view, value, config) ?? markup`<span class="soft">Empty</span>`}</dd></div>`,
    ]
  })
  return shown.length === 0 ? undefined : markup`<dl class="properties">${shown}</dl>`
}
