import { faultsIn, type Fault } from '../fault.ts'

const values = [
  'operations/pages/updatePage.row_corners.test.ts',
  'operations/pages/createPage.rows.test.ts',
  'operations/pages/createPage.rows_bad_input.test.ts',
]
const paths = [
  'operations/pages/retrievePageProperty.rows.test.ts',
  'operations/pages/movePage.rows.test.ts',
  'operations/data_sources/listDataSourceTemplates.test.ts',
  'operations/pages/updatePage.row_corners.test.ts',
]
const items = [
  'operations/pages/retrievePageProperty.rows.test.ts',
  'operations/pages/movePage.rows.test.ts',
  'operations/data_sources/listDataSourceTemplates.test.ts',
  'operations/pages/updatePage.row_corners.test.ts',
]
const templates = ['operations/pages/createPage.row_templates.test.ts', 'operations/pages/updatePage.row_corners.test.ts']

/** Values of rows: reading, writing, storing and copying. */
export const rows: readonly Fault[] = [
  ...faultsIn('domain/data/rows/write.ts', values, [
    [
      'one property may be written twice, by name and by id',
      "    if (byId.has(column.id)) throw invalid(path, 'should be not present: the same property is named twice')\n",
      '',
    ],
    ['new options may exceed the size of a schema', '  requireSchemaLimits({ properties })\n', ''],
    [
      'a new option does not count as an edit of the database',
      '[id, block.parentId], scope.actor.userId',
      '[id], scope.actor.userId',
    ],
    [
      'a new option deletes hidden columns',
      '{ properties: withHidden(dataSource, properties), retired }',
      '{ properties, retired }',
    ],
    [
      'a new value deletes values of hidden columns',
      'function valuesOfColumns({ allProperties }: DataSource,',
      'function valuesOfColumns({ properties: allProperties }: DataSource,',
    ],
    [
      'a new title is not found by filters',
      '    if (column && isRow) await replaceCells(scope, owner, column',
      '    if (column && !isRow) await replaceCells(scope, owner, column',
    ],
    [
      'a new title alone does not count as an edit',
      'if (changed.length === 0) return titleChanged',
      'if (changed.length === 0) return false',
    ],
  ]),
  ...faultsIn('domain/data/rows/leave.ts', paths, [
    ['a row that was moved out stays in the counts', '  await addToRowCount(db, actor.workspaceId, dataSource.id, -1)\n', ''],
    ['a row that was moved in has no values and is not counted', '  await insertRow(scope, dataSource, block, written)\n', ''],
    [
      'a row that was moved out stays linked',
      "if (column.type === 'relation') await writeLinks",
      "if (column.type === 'relation' && column.syncedId === undefined) await writeLinks",
    ],
    ['filters find a row that was moved out', '  await deleteCellsOfPage(db, actor.workspaceId, block.id)\n', ''],
    [
      'a value is moved to a property of another type',
      'columns.find(({ name, type }) => name === to.name && type === to.type)',
      'columns.find(({ name }) => name === to.name)',
    ],
  ]),
  ...faultsIn('domain/data/rows/fill.ts', templates, [
    [
      'the verification of a template is copied',
      'if (!isCopiedFromTemplate) return false',
      "if (!isCopiedFromTemplate && column.type !== 'verification') return false",
    ],
    [
      'the status of a template is not copied',
      "return stored === undefined || (typeof initial === 'function' && stored === initial(column))",
      'return stored === undefined',
    ],
    [
      'a template copies links that are hidden from its user',
      'const kept = ids.filter((id) => visible.has(id))',
      'const kept = ids.filter((id) => visible.size >= 0 && id)',
    ],
    [
      'an empty title in the request is replaced by that of the template',
      "sentIds.has('title') || title.length > 0 ? title",
      'title.length > 0 ? title',
    ],
  ]),
  ...faultsIn('domain/data/rows/create.ts', values, [
    [
      'rows of a database in the trash have no data source',
      '({ inTrash }) => database.inTrash || !inTrash)',
      '({ inTrash }) => !inTrash)',
    ],
    [
      'a full data source accepts one more row',
      '(await countRows(scope.db, scope.actor.workspaceId, dataSource.id)) < ROWS_MAX)',
      '(await countRows(scope.db, scope.actor.workspaceId, dataSource.id)) <= ROWS_MAX)',
    ],
  ]),
  ...faultsIn('domain/data/rows/property_items.ts', items, [
    [
      'the links of a template are not listed',
      "if (row.block.parentType !== 'data_source_id') {",
      "if (row.block.parentType === 'workspace') {",
    ],
    [
      'a rollup is returned before its last page',
      "return info(hasMore ? { type: 'incomplete', incomplete: {}, function: rollupFunction } : value, nextUrl)",
      'return info(hasMore === undefined ? null : value, nextUrl)',
    ],
  ]),
  ...faultsIn('domain/data/properties/value_notes.ts', values, [
    [
      'an option with the id of one and the name of another is accepted',
      'if (found && name !== undefined && found.name !== name) {',
      'if (found && name === undefined && found.name === id) {',
    ],
    [
      'the first of two new options is lost',
      'const property = this.changedProperties.get(column.id) ?? column\n',
      'const property = column\n',
    ],
    [
      'a property accepts 101 options',
      'if (property.options.length >= OPTIONS_MAX) {',
      'if (property.options.length > OPTIONS_MAX) {',
    ],
    [
      'the description of a new option is lost',
      "color: color ?? 'default', description: description ?? null } as const",
      "color: color ?? 'default', description: description === name ? name : null } as const",
    ],
  ]),
  ...faultsIn(
    'store/cells.ts',
    [
      'operations/data_sources/queryDataSource.corners.test.ts',
      'operations/data_sources/updateDataSource.schema_rules.test.ts',
      'operations/data_sources/queryDataSource.conditions.test.ts',
    ],
    [
      [
        'a restored row is not found by filters',
        'update cells set in_trash = ${Number(inTrash)} where',
        'update cells set in_trash = ${Number(inTrash || true)} where',
      ],
      [
        'a deleted option is counted for rows in the trash',
        '  for (const inTrash of [0, 1]) {\n    await db.run(',
        '  for (const inTrash of [0]) {\n    await db.run(',
      ],
    ],
  ),
  ...faultsIn('domain/data/property_types/relation.ts', values.concat(paths), [
    [
      'links are copied to a relation with another target',
      '(from.dataSourceId === to.dataSourceId ? stored : undefined)',
      '(from.dataSourceId === to.dataSourceId ? stored : stored)',
    ],
    ['a page is linked twice', '{ ids: [...new Set(ids)] }', '{ ids }'],
  ]),
  ...faultsIn('domain/data/property_types/choice.ts', values.concat(paths), [
    [
      'options are copied by id instead of name',
      'return to.options.find((option) => option.name === name)?.id ?? []',
      'return to.options.find((option) => option.name === name) ? id : []',
    ],
    [
      'a status without an option is empty instead of the default',
      'written === null ? defaultOption(property)?.id : notes',
      'written === null ? undefined : notes',
    ],
  ]),
  ...faultsIn('domain/data/property_types/verification.ts', values, [
    [
      'the verifier of a row has no name',
      '    references: ({ verifiedBy }: StoredVerification, to) => to.user(verifiedBy),\n',
      '',
    ],
    [
      'a verification ends on a day',
      "      if (read !== null && !read.start.includes('T')) throw invalid(`${path}.date.start`, 'should have a time')\n",
      '',
    ],
    [
      'a verification is valid at its end',
      'date.end !== null && Date.parse(date.end) <= now',
      'date.end !== null && Date.parse(date.end) < now',
    ],
  ]),
  ...faultsIn('domain/data/property_types/people.ts', values, [
    [
      'the last editor of a row has no name',
      'references: (stored: string, to) => to.user(stored),',
      "references: (stored: string, to) => type === 'created_by' && to.user(stored),",
    ],
    ['a person is stored twice', 'if (!found.has(person.id)) found.set(person.id, person)', 'found.set(`${index}`, person)'],
  ]),
  ...faultsIn(
    'domain/data/property_types/text_keys.ts',
    ['operations/data_sources/queryDataSource.corners.test.ts', 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      [
        'a text that only contains a mention counts as empty',
        "return text === '' && isKnown ? [] : [textKey(text, isKnown)]",
        "return text === '' ? [] : [textKey(text, isKnown)]",
      ],
      [
        'equations are not searched',
        "else if (item.type === 'equation') text += item.equation.expression",
        "else if (item.type === 'equation') text += ''",
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/property_types/date.ts',
    ['operations/data_sources/queryDataSource.corners.test.ts', 'operations/data_sources/queryDataSource.sorts.test.ts'],
    [
      [
        'a range ends where it begins',
        'endKey: end === null ? time : Date.parse(end) }',
        'endKey: end === null ? time : Date.parse(start) }',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/rows/update.ts',
    ['operations/pages/updatePage.uploads.test.ts'],
    [
      [
        'a row accepts the file of another page',
        'file !== undefined && held.has(file) ?',
        'file !== undefined && held.size >= 0 ?',
      ],
    ],
  ),
]
