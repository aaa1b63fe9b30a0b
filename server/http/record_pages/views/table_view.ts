import type { PageObject } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { propertyValue } from '../values/property_value.ts'
import { rowGroups } from './row_groups.ts'
import { rowLink, type RowList } from './row_list.ts'

/** Rows as a table, in groups if the view has them. */
export function tableView(list: RowList, name: string): Html {
  const { columns, rows, configuration } = list
  const heads = columns.map(({ name: column }) => markup`<th scope="col">${column}</th>`)
  const groupBy = configuration?.type === 'table' ? configuration.group_by : undefined
  const bodies =
    groupBy === undefined
      ? markup`<tbody>${rows.map((row) => tableRow(list, row))}</tbody>`
      : markup`${rowGroups(list, groupBy).map(
          (
            group,
          ) => markup`<tbody><tr class="group"><th colspan="${columns.length}" scope="rowgroup"><span class="option bg-${group.color}">${group.label}</span> <span class="soft">${group.rows.length}</span></th></tr>
${group.rows.map((row) => tableRow(list, row))}</tbody>`,
        )}`
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="rows"><thead><tr>${heads}</tr></thead>${bodies}</table></div>`
}

function tableRow({ view, columns }: RowList, row: PageObject): Html {
  const cells = columns.map(({ name, config }) => {
    const value = row.properties[name]
    if (value?.type === 'title' || config.type === 'title') return markup`<th scope="row">${rowLink(view, row)}</th>`
    return markup`<td${config.type === 'number' && markup` class="number"`}>${(value && propertyValue(view, value, config)) ?? ''}</td>`
  })
  return markup`<tr>${cells}</tr>`
}
