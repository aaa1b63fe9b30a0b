import { faultsIn, type Fault } from '../fault.ts'

const create = [
  'operations/views/createView.test.ts',
  'operations/views/createView.settings.test.ts',
  'operations/views/createView.groups.test.ts',
  'operations/views/createView.bad_input.test.ts',
]
const retrieve = ['operations/views/retrieveView.test.ts']
const update = ['operations/views/updateView.test.ts']
const lists = ['operations/views/listDatabaseViews.test.ts']
const queries = [
  'operations/views/createViewQuery.test.ts',
  'operations/views/listViewQueryResults.test.ts',
  'operations/views/deleteViewQuery.test.ts',
]
const clearing = ['operations/views/updateView.clearing.test.ts']
const corners = ['operations/views/createView.corners.test.ts']

/** Views: settings, positions and results. */
export const views: readonly Fault[] = [
  ...faultsIn('domain/data/views/condition_forms.ts', retrieve.concat(corners), [
    [
      'a stored option reads as the one that bears its id as a name',
      'options.find(({ id }) => id === option)?.name',
      'options.find(({ id, name }) => name === option || id === option)?.name',
    ],
    [
      'a view asks for the option whose id was written, and not for that of the name',
      'findWrittenOption(options, option)?.id',
      '(options.find(({ id }) => id === option) ?? findWrittenOption(options, option))?.id',
    ],
    [
      'a condition whose options are gone asks for rows without them',
      'return changed.length === 0 ? undefined : { [operator]: changed }',
      'return { [operator]: changed }',
    ],
    [
      'ids inside a condition of a rollup keep their spelling',
      'withCanonicalIds(name, value, ofIds || takesIds(name)),',
      'withCanonicalIds(name, value, ofIds),',
    ],
  ]),
  ...faultsIn('domain/data/views/conditions.ts', retrieve.concat(corners), [
    [
      'an empty list of conditions does not filter',
      'kept.length === 0 && entries.length > 0 ? undefined',
      'kept.length === 0 ? undefined',
    ],
    ['a view filters by conditions that cannot be asked', '    canRun(property, condition, schema) ? {', '    property ? {'],
  ]),
  ...faultsIn(
    'domain/data/views/configuration.ts',
    [...clearing.concat(retrieve), 'operations/views/createView.charts.test.ts'],
    [
      ['a chart loses its empty vertical axis', "for (const axis of ['x_axis', 'y_axis'])", "for (const axis of ['x_axis'])"],
      [
        'a part that is gone hides the whole chart',
        'if (shown === undefined && part?.isRequired) return null',
        'if (shown === undefined) return null',
      ],
    ],
  ),
  ...faultsIn('domain/data/views/create.ts', create.concat(corners), [
    [
      'a widget counts as a tab to stand behind',
      'tab?.databaseId === databaseId && tab.dashboardId === null',
      'tab?.databaseId === databaseId',
    ],
    [
      'a tab of another database may be stood behind',
      'tab?.databaseId === databaseId && tab.dashboardId === null',
      'tab?.dashboardId === null',
    ],
    ['a reader puts widgets on a dashboard', "  await requireOpenDatabase(scope, database, 'body.view_id')\n", ''],
    ['a database takes 1,001 tabs', 'databaseId, TABS_MAX)) >= TABS_MAX', 'databaseId, TABS_MAX)) > TABS_MAX'],
    ['a new tab shares the place of an old one', '  await moveTabsFrom(db, actor.workspaceId, databaseId, position)\n', ''],
  ]),
  ...faultsIn('domain/data/views/dashboards.ts', create.concat(corners), [
    ['a dashboard takes 13 widgets', 'if (count >= WIDGETS_MAX)', 'if (count > WIDGETS_MAX)'],
    [
      'a new row cannot be the last',
      'if (index > rows.length) throw',
      'if (index >= rows.length && placement?.row_index !== undefined) throw',
    ],
    [
      'a new widget does not count as an edit of its dashboard',
      '{ ...dashboard, settings, lastEditedTime, lastEditedBy: actor.userId }',
      '{ ...dashboard, settings, lastEditedTime: Math.min(lastEditedTime, dashboard.lastEditedTime) }',
    ],
  ]),
  ...faultsIn('domain/data/views/defaults.ts', create, [
    [
      'a board takes the first column that would do',
      '  for (const type of types) {\n    const found = properties.find((property) => property.type === type)\n',
      '  for (const type of types) {\n    const found = properties.find((property) => property.type === type || types.includes(property.type))\n',
    ],
  ]),
  ...faultsIn('domain/data/views/linked_database.ts', create.concat(corners), [
    ['a reader puts a linked database on a page', "  await requireOpen(scope, page, 'page', `${PATH}.parent`)\n", ''],
    [
      'a linked database comes behind a block in the trash',
      'if (!sibling || sibling.parentId !== page.id || sibling.inTrash) {',
      'if (!sibling || sibling.parentId !== page.id) {',
    ],
    ['a linked database is no edit of its page', '  await touch(db, actor.workspaceId, [page.id], actor.userId, now)\n', ''],
  ]),
  ...faultsIn('domain/data/views/list.ts', lists, [
    ['a database in the trash hides its own views', '(id) => id === ownId || blocks', '(id) => blocks'],
    [
      'views in databases that the caller does not see are listed',
      'const visible = await visibleAmong(db, actor, ids)',
      'const visible = ids.length < 0 ? await visibleAmong(db, actor, ids) : new Set(ids)',
    ],
  ]),
  ...faultsIn('domain/data/views/parts.ts', retrieve.concat(corners), [
    [
      'the column behind the toggle stays when it is gone',
      "withFound(withFound(stored, 'property_id', schema, RELATION_FIT), 'toggle_column_id', schema)",
      "withFound(stored, 'property_id', schema, RELATION_FIT)",
    ],
    [
      'a cover takes any column',
      "const fit = value.type === 'property' ? FILES_FIT : undefined",
      "const fit = value.type === 'property' ? undefined : FILES",
    ],
    [
      'a count of a column that is gone loses its axis',
      "    if (stored['aggregator'] === 'count') return withFound(stored, 'property_id', schema)\n",
      '',
    ],
    [
      'arrows by a relation that is gone keep it',
      '{ property_id: findFitting(schema, id, RELATION_FIT)?.id ?? null }',
      '{ property_id: findFitting(schema, id, RELATION_FIT)?.id ?? id }',
    ],
  ]),
  ...faultsIn('domain/data/views/queries.ts', queries.concat(corners), [
    ['a query of one view is found below another', 'query?.viewId === view.id && query.ownerId', 'query?.ownerId'],
    ['a query of one connection serves others', ' && query.ownerId === ownerOf(actor) && ', ' && '],
    ['each bot of a connection keeps its queries to itself', 'return connectionId ?? userId', 'return userId ?? connectionId'],
    ['a query lives on at the moment when it ends', 'query.expiresTime > now', 'query.expiresTime >= now'],
    [
      'a cursor leads on behind the end',
      'const hasMore = end < query.totalCount',
      'const hasMore = end <= query.totalCount && ids.length > 0',
    ],
  ]),
  ...faultsIn(
    'domain/data/views/sorts.ts',
    corners.concat([
      'operations/views/createView.test.ts',
      'operations/views/createView.settings.test.ts',
      'operations/views/createView.groups.test.ts',
      'operations/views/createView.bad_input.test.ts',
    ]),
    [
      [
        'a property that comes to be called like a timestamp takes over its sort',
        "    if ('timestamp' in sort) return sort\n    const property = findById(schema.properties, sort.property)",
        "    if ('timestamp' in sort) return sort\n    const property = findProperty(schema.properties, sort.property)",
      ],
    ],
  ),
  ...faultsIn('domain/data/views/update.ts', update.concat(corners), [
    ['a reader changes a view', "  await requireOpenDatabase(scope, around.database, 'path.view_id')\n", ''],
    ['a new name clears the filter', 'filter === null ? null : before.filter', 'filter === undefined ? null : before.filter'],
    [
      'a view over a data source that the caller does not see is changed',
      "  if (namesProperties && !source) throw notFound(actor, 'data source', view.dataSourceId)\n",
      '',
    ],
    [
      'quick filters that are sent drop the others',
      'storeQuickFilters(quickFilters, before.quickFilters, schema)',
      'storeQuickFilters(quickFilters, null, schema)',
    ],
  ]),
  ...faultsIn('domain/data/views/find_view_rows.ts', queries.concat(corners), [
    [
      'a view shows rows below the trash',
      'source.inTrash || (await isBelowTrash(scope.db, scope.actor.workspaceId, source.id))',
      'source.inTrash',
    ],
    ['a view shows a member rows that are closed to it', 'ids: await seenBelow(scope, ids), isIncomplete', 'ids, isIncomplete'],
  ]),
  ...faultsIn('domain/data/views/access.ts', retrieve.concat(corners), [
    [
      'a view discloses columns of a data source that the caller cannot see',
      'actor.seesWholeWorkspace || (await visibleAmong(db, actor, [view.dataSourceId])).size > 0',
      'actor.seesWholeWorkspace || view.dataSourceId !== view.id',
    ],
  ]),
  ...faultsIn('domain/data/views/groups.ts', create.concat(corners), [
    [
      'groups of a formula with unknown values are accepted',
      'if (result !== RESULTS[group.group_by.type]) {',
      'if (result !== undefined && result !== RESULTS[group.group_by.type]) {',
    ],
  ]),
  ...faultsIn('domain/data/views/present.ts', retrieve.concat(create), [
    [
      'a dashboard shows a data source',
      "data_source_id: view.type === 'dashboard' ? null :",
      "data_source_id: view.type === 'form' ? null :",
    ],
  ]),
  ...faultsIn('domain/data/views/properties.ts', create.concat(corners), [
    [
      'a calendar goes by a formula that gives a text',
      "facetsOf(type).value.present === 'computed' && given === fit.result",
      "facetsOf(type).value.present === 'computed'",
    ],
  ]),
]
