import { faultsIn, type Fault } from '../fault.ts'

const columns = [
  'operations/data_sources/updateDataSource.columns.test.ts',
  'operations/data_sources/updateDataSource.corners.test.ts',
]
const update = [
  'operations/data_sources/updateDataSource.test.ts',
  'operations/data_sources/updateDataSource.place_and_trash.test.ts',
  'operations/data_sources/updateDataSource.corners.test.ts',
]
const rules = ['operations/data_sources/updateDataSource.schema_rules.test.ts']
const retype = [
  'operations/data_sources/updateDataSource.retype.test.ts',
  'operations/data_sources/updateDataSource.corners.test.ts',
]

/** Schemas of data sources, their options and types, and their databases. */
export const schemas: readonly Fault[] = [
  ...faultsIn(
    'domain/data/property_types/change_options.ts',
    [
      ...columns,
      'operations/data_sources/updateDataSource.options.test.ts',
      'operations/data_sources/updateDataSource.schema_rules.test.ts',
    ],
    [
      [
        'two options of a select have one name',
        'if (options.some(({ id, name }) => id === option.id || name === option.name)) throw',
        'if (options.some(({ id }) => id === option.id)) throw',
      ],
      [
        'a status option accepts the name of another',
        'if (options.some(({ id, name }) => id !== option.id && name === option.name)) throw',
        'if (options.some(({ id, name }) => id === option.id && name !== option.name && !found)) throw',
      ],
      [
        'a status option that is changed falls into the first group',
        'request.group || (found ? undefined : groups[0]?.name)',
        'request.group || groups[0]?.name',
      ],
      [
        'a status accepts more than a hundred options',
        'if (options.length > OPTIONS_MAX) {',
        'if (requests.length > OPTIONS_MAX) {',
      ],
      ['the group of an option is ignored beside a list of groups', '    if (request.group) inOwnGroup.add(option.id)\n', ''],
      [
        'an option of a select may change its color',
        '(color ?? option.color) !== option.color',
        "(color ?? option.color) === 'none'",
      ],
    ],
  ),
  ...faultsIn('domain/data/property_types/new_options.ts', columns, [
    [
      'a group resolves names of options as ids',
      'new Map([...options.map(({ id, name }) => [name, id] as const), ...options.map(({ id }) => [id, id] as const)])',
      'new Map([...options.map(({ id }) => [id, id] as const), ...options.map(({ id, name }) => [name, id] as const)])',
    ],
    [
      'a moved option stays in its old group',
      'const others = group.option_ids.filter((id) => id !== optionId)',
      'const others = group.option_ids.filter((id) => id !== optionId || group.name !== name)',
    ],
  ]),
  ...faultsIn(
    'domain/data/data_sources/change_schema.ts',
    [...columns.concat(update), 'operations/data_sources/updateDataSource.schema_rules.test.ts'],
    [
      [
        'filters find removed options',
        '    work.push(() => dropOptions(session, column, next))\n',
        '    if (!next) work.push(() => dropOptions(session, column, next))\n',
      ],
      [
        'settings are ignored when a property returns to its old type',
        '    await configure(changing, path, { ...hidden, ...common }, content)\n',
        '',
      ],
      [
        'old values are lost when one computed type replaces another',
        'const hidden = storesValues(column.type) ? column : column.hidden\n',
        'const hidden = column\n',
      ],
      [
        'a second property may become a unique id',
        "  requireOnlyOne(draft.properties, type, path)\n  if (column.type === 'relation')",
        "  if (column.type === 'relation')",
      ],
      [
        'retyped properties are not counted against the limit of rewritten values',
        '  if (storesValues(type)) changing.rewritten.add(id)\n',
        '',
      ],
      [
        'relations with a new target are not counted against the limit of rewritten values',
        '    if (work.length > before) rewritten.add(column.id)\n',
        '    if (work.length < before) rewritten.add(column.id)\n',
      ],
      [
        'unique ids lose their values as text',
        'const from = storesValues(before.type) ? before : hidden',
        'const from = isComputed(before.type) ? hidden : before',
      ],
    ],
  ),
  ...faultsIn('domain/data/data_sources/check_computed.ts', rules.concat(columns), [
    [
      'a rollup may complete a cycle of formulas',
      'if (compilation?.formula === undefined && compilation?.isCycle) {',
      'if (compilation?.formula !== undefined && compilation?.isCycle) {',
    ],
  ]),
  ...faultsIn('domain/data/data_sources/conversion.ts', retype, [
    [
      'converting texts creates a 101st option',
      'if (property.options.length >= OPTIONS_MAX) return',
      'if (property.options.length > OPTIONS_MAX) return',
    ],
    ['converting a text creates an option of 101 characters', '.slice(0, 100).join', '.slice(0, 101).join'],
  ]),
  ...faultsIn('domain/data/data_sources/convert_rows.ts', retype, [
    ['values of rows in the trash keep their old type', 'for (const inTrash of [false, true])', 'for (const inTrash of [false])'],
    [
      'unique ids start again',
      'new Map(rows.map((id, index) => [id, first + index]))',
      'new Map(rows.map((id, index) => [id, 1 + index]))',
    ],
    ['templates get unique ids', '({ id }) => numbers.get(id))', '({ id }) => numbers.get(id) ?? 0)'],
  ]),
  ...faultsIn('domain/data/data_sources/schema_session.ts', columns.concat(update), [
    [
      'an opposite property may exceed the schema limits of the target',
      '      requireSchemaLimits(draft)\n      if (!draft.isChanged || !draft.stored) continue\n',
      '      if (!draft.isChanged || !draft.stored) continue\n',
    ],
    [
      'a caller with hidden columns cannot add one',
      'return [...kept, ...written.filter(({ id }) => !seenIds.has(id))]',
      'return kept',
    ],
    [
      'a schema of 500 columns is refused',
      'if (properties.length > PROPERTIES_MAX) {',
      'if (properties.length >= PROPERTIES_MAX) {',
    ],
    [
      'the other side of a relation does not count as an edit of its database',
      '[draft.id, draft.stored.block.parentId], actor.userId, now',
      '[draft.id], actor.userId, now',
    ],
  ]),
  ...faultsIn(
    'domain/content/rich_text/gather.ts',
    ['operations/data_sources/updateDataSource.retype.test.ts', 'operations/data_sources/updateDataSource.corners.test.ts'],
    [
      [
        'converting a relation stores titles of hidden pages',
        'chunks([...visible], TITLES_AT_ONCE)',
        'chunks(visible.size < 0 ? [] : [...new Set(ids)], TITLES_AT_ONCE)',
      ],
    ],
  ),
  ...faultsIn('domain/content/blocks/access.ts', update, [
    [
      'a data source below the trash can be changed',
      'false.`)\n  await requireLiveAncestors(scope, block, path)\n',
      "false.`)\n  if (kind !== 'data source') await requireLiveAncestors(scope, block, path)\n",
    ],
  ]),
  ...faultsIn('domain/data/data_sources/rollups.ts', update, [
    [
      'a property that becomes a rollup loses its values',
      '{ id, name, description, ...(hidden ? { hidden } : {}), ...config }',
      '{ id, name, description, ...config }',
    ],
  ]),
  ...faultsIn('domain/data/data_sources/update.ts', update, [
    [
      'a title shared with the database does not count as its edit',
      'shared ? [id, database.id] : [id]',
      'shared ? [id] : [id, database.id]',
    ],
    [
      'a data source can be moved below its own row',
      'if (await isAtOrBelow(db, workspaceId, target.id, dataSource.id))\n',
      'if (target.id === dataSource.id)\n',
    ],
    [
      'a move does not count as an edit of the old database',
      '[dataSource.id, dataSource.database.id, target.id], actor.userId',
      '[dataSource.id, target.id], actor.userId',
    ],
  ]),
  ...faultsIn(
    'domain/data/data_sources/templates.ts',
    [
      'operations/pages/createPage.rows.test.ts',
      'operations/pages/createPage.rows_bad_input.test.ts',
      'operations/pages/createPage.row_templates.test.ts',
      'operations/pages/updatePage.row_corners.test.ts',
    ],
    [['templates in the trash are listed', 'return block && !block.inTrash ?', 'return block ?']],
  ),
  ...faultsIn(
    'domain/content/blocks/access.ts',
    ['operations/databases/updateDatabase.test.ts'],
    [
      [
        'a database below the trash can be changed',
        'false.`)\n  await requireLiveAncestors(scope, block, path)\n',
        "false.`)\n  if (kind !== 'database') await requireLiveAncestors(scope, block, path)\n",
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/databases/update.ts',
    [
      'operations/databases/updateDatabase.test.ts',
      'operations/databases/listDatabases.test.ts',
      'operations/data_sources/updateDataSource.corners.test.ts',
    ],
    [
      [
        'the title of a database replaces those of several data sources',
        'if (next.sharesWords && (newTitle || newDescription)) {',
        'if (newTitle || newDescription) {',
      ],
      ['a database at the top of the workspace is open to all', '  if (!parent) await keepPrivate(scope, block.id)\n', ''],
      [
        'a move does not count as an edit of the old page',
        'const around = [block.pageId, parent?.id]',
        'const around = [null, parent?.id]',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/databases/present.ts',
    [
      'operations/databases/updateDatabase.test.ts',
      'operations/databases/listDatabases.test.ts',
      'operations/data_sources/updateDataSource.test.ts',
      'operations/data_sources/updateDataSource.place_and_trash.test.ts',
      'operations/data_sources/updateDataSource.corners.test.ts',
    ],
    [
      [
        'a database in the trash does not name its data sources',
        'databaseId === block.id && (block.inTrash || !inTrash)',
        'databaseId === block.id && !inTrash',
      ],
    ],
  ),
  ...faultsIn('domain/data/property_types/unique_id.ts', columns.concat(update), [
    [
      'a prefix is stored in lower case',
      '{ prefix = before }: UniqueIdConfigRequest) => ({ prefix: prefix?.toUpperCase() || null })',
      '{ prefix = before }: UniqueIdConfigRequest) => ({ prefix: prefix || null })',
    ],
  ]),
  ...faultsIn('domain/data/property_types/choice.ts', retype, [
    ['new options of a status are in no group', 'option_ids: index === 0 ? ids : []', 'option_ids: index === 3 ? ids : []'],
  ]),
]
