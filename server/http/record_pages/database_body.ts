import type { QuerySorts, ViewObject, ViewType } from '../../../generated/types.ts'
import { undashed } from '../../kernel/ids.ts'
import { markup, type Html } from '../oauth/html.ts'
import { forPrograms, type ApiAddress, type ApiCall } from './for_programs.ts'
import { recordPath } from './links.ts'
import type { LoadedDatabase } from './load_database.ts'
import type { PageView } from './page_view.ts'
import { recordHeader } from './record_header.ts'
import { richTextHtml } from './rich_text.ts'
import { columnsOfSource, columnsShown } from './values/columns.ts'
import { calendarView } from './views/calendar_view.ts'
import { boardView, galleryView, listView } from './views/card_views.ts'
import type { RowList } from './views/row_list.ts'
import { tableView } from './views/table_view.ts'

/** A database: its header, its views as tabs, the rows of one of them, and how programs can read it. */
export function databaseBody(view: PageView, api: ApiAddress, loaded: LoadedDatabase): Html {
  const { database, tabs, active } = loaded
  const header = recordHeader(view, {
    kind: 'database',
    title: database.title,
    icon: database.icon,
    cover: database.cover,
    inTrash: database.in_trash,
    editedTime: database.last_edited_time,
  })
  return markup`<article class="database">${header}
${database.description.length > 0 && markup`<p class="description">${richTextHtml(view, database.description)}</p>`}
${tabs.length > 0 && markup`<nav class="views" aria-label="Views"><ul>${tabs.map((tab) => tabOf(view, tab, active))}</ul></nav>`}
${active && settingsOf(active, loaded)}
${active?.type === 'dashboard' ? dashboard(view, loaded.widgets) : rowsOf(view, loaded)}
${forPrograms(api, callsOf(loaded), markup`<p class="forms"><a href="${recordPath(view, database.id, { as: 'json' })}">Show as JSON</a></p>`)}</article>`
}

const NAMES: Readonly<Record<ViewType, string>> = {
  table: 'Table',
  board: 'Board',
  list: 'List',
  calendar: 'Calendar',
  timeline: 'Timeline',
  gallery: 'Gallery',
  form: 'Form',
  chart: 'Chart',
  map: 'Map',
  dashboard: 'Dashboard',
}

function tabOf(view: PageView, tab: ViewObject, active: ViewObject | undefined): Html {
  const isCurrent = tab.id === active?.id
  return markup`<li><a href="${viewPath(view, tab)}"${isCurrent && markup` aria-current="page"`}>${tab.name || NAMES[tab.type]} <span class="kind">${NAMES[tab.type]}</span></a></li>`
}

function viewPath(view: PageView, { id, parent }: ViewObject, more: Readonly<Record<string, string | undefined>> = {}): string {
  return recordPath(view, parent.database_id, { v: undashed(id), ...more })
}

const SHOWN_AS_THEMSELVES: ReadonlySet<ViewType> = new Set(['table', 'board', 'list', 'calendar', 'gallery', 'dashboard'])

/** A line that says how the view filters and sorts its rows. */
function settingsOf(
  { type, filter, sorts, quick_filters: quickFilters }: ViewObject,
  { source }: LoadedDatabase,
): Html | undefined {
  const isFiltered = filter || Object.keys(quickFilters ?? {}).length > 0
  const words = [
    ...(SHOWN_AS_THEMSELVES.has(type) ? [] : [`${NAMES[type]}, shown as a table`]),
    ...(isFiltered ? ['Filtered'] : []),
    ...(sorts && sorts.length > 0 ? [`Sorted by ${sortNames(sorts, source)}`] : []),
  ]
  return words.length === 0 ? undefined : markup`<p class="meta">${words.join(' · ')}</p>`
}

function sortNames(sorts: QuerySorts, source: LoadedDatabase['source']): string {
  const columns = Object.values(source?.properties ?? {})
  const names = sorts.map((sort) => {
    if (!('property' in sort)) return sort.timestamp.replaceAll('_', ' ')
    return columns.find(({ id, name }) => id === sort.property || name === sort.property)?.name ?? 'a property'
  })
  return names.join(', ')
}

function dashboard(view: PageView, widgets: readonly ViewObject[]): Html {
  const items = widgets.map(
    (widget) =>
      markup`<li><a href="${viewPath(view, widget)}">${widget.name || NAMES[widget.type]} <span class="kind">${NAMES[widget.type]}</span></a></li>`,
  )
  return items.length === 0 ? markup`<p class="soft">This dashboard has no views.</p>` : markup`<ul class="widgets">${items}</ul>`
}

function rowsOf(view: PageView, loaded: LoadedDatabase): Html {
  const { source, rows, active } = loaded
  if (!source || !rows)
    return markup`<p class="soft">${loaded.database.in_trash ? 'Rows of a database in the trash are not shown.' : 'You cannot see the rows of this view.'}</p>`
  const configuration = active?.configuration ?? null
  const columns = columnsShown(columnsOfSource(source), configuration)
  const list: RowList = { view, source, columns, rows: rows.rows, configuration }
  return markup`${rows.rows.length === 0 && configuration?.type !== 'calendar' ? markup`<p class="soft">No rows.</p>` : shownRows(list, loaded)}
${rows.next !== null && markup`<p class="more"><a href="${nextPath(view, loaded, rows.next)}" rel="next">More rows</a></p>`}
${rows.isIncomplete && markup`<p class="soft">The view has more rows than are listed.</p>`}`
}

function nextPath(view: PageView, { database, active, month }: LoadedDatabase, from: string): string {
  if (!active) return recordPath(view, database.id, { from })
  return viewPath(view, active, { ...(active.type === 'calendar' ? { month: month.name } : {}), from })
}

function shownRows(list: RowList, { active, month }: LoadedDatabase): Html {
  const name = active?.name || 'Rows'
  const { configuration } = list
  switch (configuration?.type) {
    case 'board':
      return boardView(list, name)
    case 'list':
      return listView(list)
    case 'gallery':
      return galleryView(list)
    case 'calendar':
      return calendarView(list, month, configuration.date_property_id, (to) =>
        active ? viewPath(list.view, active, { month: to }) : '',
      )
    case 'table':
    case 'timeline':
    case 'form':
    case 'chart':
    case 'map':
    case 'dashboard':
    case undefined:
      return tableView(list, name)
  }
}

function callsOf({ database, active, source }: LoadedDatabase): ApiCall[] {
  const ofSource = source && { data_source_id: source.id }
  return [
    { operation: 'retrieveDatabase', returns: 'The database', parameters: { database_id: database.id } },
    ...(active
      ? [
          {
            operation: 'createViewQuery',
            returns: 'The rows of this view',
            parameters: { view_id: active.id },
            body: { page_size: 100 },
          } as const,
        ]
      : []),
    ...(ofSource
      ? ([
          { operation: 'retrieveDataSource', returns: 'Its properties', parameters: ofSource },
          { operation: 'queryDataSource', returns: 'All rows', parameters: ofSource, body: { page_size: 100 } },
        ] as const)
      : []),
  ]
}
