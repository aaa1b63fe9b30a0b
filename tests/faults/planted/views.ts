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
      'a view resolves stored option ids as names',
      'options.find(({ id }) => id === option)?.name',
      'options.find(({ id, name }) => name === option || id === option)?.name',
    ],
    [
      'a view resolves option names as ids',
      'findWrittenOption(options, option)?.id',
      '(options.find(({ id }) => id === option) ?? findWrittenOption(options, option))?.id',
    ],
    [
      'a condition with deleted options matches rows without options',
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
    ['a view applies conditions that are not supported', '    canRun(property, condition, schema) ? {', '    property ? {'],
  ]),
  ...faultsIn(
    'domain/data/views/configuration.ts',
    [...clearing.concat(retrieve), 'operations/views/createView.charts.test.ts'],
    [
      ['a chart loses its empty vertical axis', "for (const axis of ['x_axis', 'y_axis'])", "for (const axis of ['x_axis'])"],
      [
        'a missing member hides the whole chart',
        'if (shown === undefined && definition?.isRequired) return null',
        'if (shown === undefined) return null',
      ],
    ],
  ),
  ...faultsIn('domain/data/views/create.ts', create.concat(corners), [
    [
      'a widget id is accepted as the tab to insert after',
      'tab?.databaseId === databaseId && tab.dashboardId === null',
      'tab?.databaseId === databaseId',
    ],
    [
      'a tab of another database is accepted as the tab to insert after',
      'tab?.databaseId === databaseId && tab.dashboardId === null',
      'tab?.dashboardId === null',
    ],
    ['read access is enough to add widgets', "  await requireOpenDatabase(scope, database, 'body.view_id')\n", ''],
    ['a database accepts 1,001 tabs', 'databaseId, TABS_MAX)) >= TABS_MAX', 'databaseId, TABS_MAX)) > TABS_MAX'],
    ['a new tab has the position of an existing one', '  await moveTabsFrom(db, actor.workspaceId, databaseId, position)\n', ''],
  ]),
  ...faultsIn('domain/data/views/dashboards.ts', create.concat(corners), [
    ['a dashboard accepts 13 widgets', 'if (count >= WIDGETS_MAX)', 'if (count > WIDGETS_MAX)'],
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
      'a board groups by an unsuitable default property',
      '  for (const type of types) {\n    const found = properties.find((property) => property.type === type)\n',
      '  for (const type of types) {\n    const found = properties.find((property) => property.type === type || types.includes(property.type))\n',
    ],
  ]),
  ...faultsIn('domain/data/views/linked_database.ts', create.concat(corners), [
    ['read access is enough to add a linked database', "  await requireOpen(scope, page, 'page', `${PATH}.parent`)\n", ''],
    [
      'a linked database can be inserted after a block in the trash',
      'if (!sibling || sibling.parentId !== page.id || sibling.inTrash) {',
      'if (!sibling || sibling.parentId !== page.id) {',
    ],
    [
      'a linked database does not count as an edit of its page',
      '  await touch(db, actor.workspaceId, [page.id], actor.userId, now)\n',
      '',
    ],
  ]),
  ...faultsIn('domain/data/views/list.ts', lists, [
    ['a database in the trash hides its own views', '(id) => id === ownId || blocks', '(id) => blocks'],
    [
      'views in hidden databases are listed',
      'const visible = await visibleAmong(db, actor, ids)',
      'const visible = ids.length < 0 ? await visibleAmong(db, actor, ids) : new Set(ids)',
    ],
  ]),
  ...faultsIn('domain/data/views/configuration_members.ts', retrieve.concat(corners), [
    [
      'a view keeps a deleted subtask property',
      "withFound(withFound(stored, 'property_id', schema, RELATION_FIT), 'toggle_column_id', schema)",
      "withFound(stored, 'property_id', schema, RELATION_FIT)",
    ],
    [
      'a cover accepts any property',
      "const fit = value.type === 'property' ? FILES_FIT : undefined",
      "const fit = value.type === 'property' ? undefined : FILES",
    ],
    [
      'a count of a deleted property loses its axis',
      "    if (stored['aggregator'] === 'count') return withFound(stored, 'property_id', schema)\n",
      '',
    ],
    [
      'a timeline keeps a deleted relation',
      '{ property_id: findFitting(schema, id, RELATION_FIT)?.id ?? null }',
      '{ property_id: findFitting(schema, id, RELATION_FIT)?.id ?? id }',
    ],
  ]),
  ...faultsIn('domain/data/views/queries.ts', queries.concat(corners), [
    ['a query of one view is found at another', 'query?.viewId === view.id && query.ownerId', 'query?.ownerId'],
    ['a query of one connection can be used by others', ' && query.ownerId === ownerOf(actor) && ', ' && '],
    ['bots of a connection do not share queries', 'return connectionId ?? userId', 'return userId ?? connectionId'],
    ['a query is valid at its expiry time', 'query.expiresTime > now', 'query.expiresTime >= now'],
    [
      'a cursor is returned at the end of a query',
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
        'a property that is renamed to a timestamp takes over its sort',
        "    if ('timestamp' in sort) return sort\n    const property = findById(schema.properties, sort.property)",
        "    if ('timestamp' in sort) return sort\n    const property = findProperty(schema.properties, sort.property)",
      ],
    ],
  ),
  ...faultsIn('domain/data/views/update.ts', update.concat(corners), [
    ['read access is enough to change a view', "  await requireOpenDatabase(scope, around.database, 'path.view_id')\n", ''],
    [
      'renaming a view clears its filter',
      'filter === null ? null : before.filter',
      'filter === undefined ? null : before.filter',
    ],
    [
      'a view of a hidden data source can be changed',
      "  if (namesProperties && !source) throw notFound(actor, 'data source', view.dataSourceId)\n",
      '',
    ],
    [
      'an update of quick filters removes the others',
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
    ['a view shows hidden rows', 'ids: await seenBelow(scope, ids), isIncomplete', 'ids, isIncomplete'],
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
      'a dashboard has a data source',
      "data_source_id: view.type === 'dashboard' ? null :",
      "data_source_id: view.type === 'form' ? null :",
    ],
  ]),
  ...faultsIn('domain/data/views/properties.ts', create.concat(corners), [
    [
      'a calendar accepts a formula of type text',
      "facetsOf(type).value.present === 'computed' && resultType === fit.result",
      "facetsOf(type).value.present === 'computed'",
    ],
  ]),
]
