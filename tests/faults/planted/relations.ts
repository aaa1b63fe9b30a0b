import { faultsIn, type Fault } from '../fault.ts'

const pairs = [
  'operations/data_sources/updateDataSource.opposites.test.ts',
  'operations/data_sources/updateDataSource.relations.test.ts',
]
const manyLinks = [
  'operations/data_sources/updateDataSource.many_links.test.ts',
  'operations/data_sources/updateDataSource.opposites.test.ts',
]

/** Relations between rows, in both directions, and changes between one-way and two-way. */
export const relations: readonly Fault[] = [
  ...faultsIn('domain/data/rows/links.ts', manyLinks, [
    [
      'new links leave the hundred and first old one on its other side',
      'const old = before?.more ? await allLinks(scope, owner.pageId, relation.id) : (before?.ids ?? [])',
      'const old = before?.ids ?? []',
    ],
    [
      'a page that stays linked counts as edited',
      'const added = ids.filter((id) => !known.has(id))',
      'const added = ids.filter((id) => known.size >= 0 && id)',
    ],
    [
      'links that stay are gone from their other side',
      'const gone = old.filter((id) => !kept.has(id))',
      'const gone = old.filter((id) => kept.size >= 0 && id)',
    ],
    [
      'pairing doubles a link behind the hundredth',
      'links.ids.includes(linkedId) || (links.more && (await isLinked(db, workspaceId, owner, propertyId, linkedId)))',
      'links.ids.includes(linkedId) || (links.more && !isLinked)',
    ],
    [
      'a relation that shrinks below a hundred links does not fill up again',
      'return links.more ? findFirstLinks(scope, owner.pageId, propertyId) : { ids }',
      'return { ...links, ids }',
    ],
    [
      'with one of many links those behind the hundredth are forgotten',
      'listLinks(scope.db, scope.actor.workspaceId, pageId, propertyId, -1, LINKS_IN_DOCUMENT + 1)',
      'listLinks(scope.db, scope.actor.workspaceId, pageId, propertyId, -1, LINKS_IN_DOCUMENT)',
    ],
    [
      'linking from the other end does not count as an edit',
      '    await touch(db, actor.workspaceId, ids, actor.userId, scope.now)\n',
      '',
    ],
    [
      'the index keeps links of rows in the trash that were taken away',
      'dataSourceId: block.parentId, inTrash: block.inTrash, createdTime: block.createdTime }',
      'dataSourceId: block.parentId, inTrash: false, createdTime: block.createdTime }',
    ],
    [
      'links that a member does not see are lost behind the hundredth',
      '(before.more ? await allLinks(scope, pageId, relation.id) : before.ids).filter((id) => !wanted.has(id))',
      'before.ids.filter((id) => !wanted.has(id))',
    ],
  ]),
  ...faultsIn(
    'domain/data/data_sources/change_relation.ts',
    [...pairs, 'operations/data_sources/updateDataSource.many_links.test.ts'],
    [
      [
        'a relation that leads elsewhere stays the opposite of what it led to',
        'const target = await session.open(targetId)\n    await unpair(session, before)\n',
        'const target = await session.open(targetId)\n',
      ],
      [
        'a two-way relation that is to lead elsewhere and one way stays two-way',
        "const staysTwoWay = syncedId !== undefined && !('single_property' in request)",
        'const staysTwoWay = syncedId !== undefined',
      ],
      ['links to the former target stay', '    work.push(() => emptyColumn(scope, draft.id, moved))\n', ''],
      [
        'the former opposite of a relation with another one stays two-way',
        '  await unpair(session, before)\n  const paired =',
        '  const paired =',
      ],
      [
        'the links of an older opposite do not come over',
        '  await addOppositeLinks(scope, relation.dataSourceId, syncedId, relation.id)\n',
        '',
      ],
      [
        'links of rows in the trash get no other side',
        'for await (const { documents } of pageRuns(scope, dataSourceId)) {',
        'for await (const { documents, inTrash } of pageRuns(scope, dataSourceId)) {\n    if (inTrash) continue',
      ],
      ['links behind the hundredth get no other side', 'links.more ? await allLinks(scope, id, fromId) : links.ids', 'links.ids'],
      [
        'an opposite takes the name of another column',
        'if (target.properties.some((property) => property.name === name)) {',
        'if (target.properties.some((property) => property.name === name && property.id === syncedId)) {',
      ],
      [
        'a reader of the target renames the opposite there',
        'const target = await session.openToChange(dataSourceId)',
        'const target = await session.open(dataSourceId)',
      ],
    ],
  ),
  ...faultsIn('domain/data/data_sources/relations.ts', pairs, [
    ['a relation that is paired is paired once more', '    property.syncedId === undefined &&\n', ''],
    ['a relation is its own opposite', ' &&\n    property.id !== relation.id\n', '\n'],
    [
      'the description of an older opposite is lost',
      'const description = existing?.description ?? null',
      'const description = null',
    ],
    ['an older opposite gets a new name', 'writtenName ?? existing?.name ?? freeName(', 'writtenName ?? freeName('],
    [
      'an older opposite cannot be named as it is called',
      'property.name === name && property.id !== existing?.id)',
      'property.name === name)',
    ],
    [
      'a reader of the target adds a column there',
      'const target = await session.openToChange(relation.dataSourceId)',
      'const target = await session.open(relation.dataSourceId)',
    ],
  ]),
  ...faultsIn(
    'domain/data/rows/require_targets.ts',
    [
      'operations/pages/createPage.rows.test.ts',
      'operations/pages/createPage.rows_bad_input.test.ts',
      'operations/data_sources/updateDataSource.opposites.test.ts',
    ],
    [
      [
        'a template passes for a related row',
        "if (block.parentType !== 'data_source_id' || block.parentId !== property.dataSourceId) {",
        'if (block.parentId !== property.dataSourceId) {',
      ],
      [
        'a page that the caller does not see can be linked',
        "if (!block || !visible.has(id) || block.type === 'data_source')",
        "if (!block || block.type === 'data_source')",
      ],
      [
        'an unknown group passes for a person',
        "if (object === 'user' ? !users.has(id) : !groups.has(id))",
        "if (object === 'user' && !users.has(id))",
      ],
    ],
  ),
]
