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
      'replacing links keeps the 101st old link on the other side',
      'const old = before?.more ? await allLinks(scope, owner.pageId, relation.id) : (before?.ids ?? [])',
      'const old = before?.ids ?? []',
    ],
    [
      'a page whose link is unchanged counts as edited',
      'const added = ids.filter((id) => !known.has(id))',
      'const added = ids.filter((id) => known.size >= 0 && id)',
    ],
    [
      'unchanged links are removed from the other side',
      'const gone = old.filter((id) => !kept.has(id))',
      'const gone = old.filter((id) => kept.size >= 0 && id)',
    ],
    [
      'pairing relations duplicates links after the hundredth',
      'links.ids.includes(linkedId) || (links.more && (await isLinked(db, workspaceId, owner, propertyId, linkedId)))',
      'links.ids.includes(linkedId) || (links.more && !isLinked)',
    ],
    [
      'a relation that shrinks below a hundred links does not fill up again',
      'return links.more ? findFirstLinks(scope, owner.pageId, propertyId) : { ids }',
      'return { ...links, ids }',
    ],
    [
      'adding a link removes those after the hundredth',
      'listLinks(scope.db, scope.actor.workspaceId, pageId, propertyId, -1, LINKS_IN_DOCUMENT + 1)',
      'listLinks(scope.db, scope.actor.workspaceId, pageId, propertyId, -1, LINKS_IN_DOCUMENT)',
    ],
    [
      'a link from the other side does not count as an edit',
      '    await touch(db, actor.workspaceId, ids, actor.userId, scope.now)\n',
      '',
    ],
    [
      'the index keeps removed links of rows in the trash',
      'dataSourceId: block.parentId, inTrash: block.inTrash, createdTime: block.createdTime }',
      'dataSourceId: block.parentId, inTrash: false, createdTime: block.createdTime }',
    ],
    [
      'hidden links after the hundredth are lost',
      '(before.more ? await allLinks(scope, pageId, relation.id) : before.ids).filter((id) => !wanted.has(id))',
      'before.ids.filter((id) => !wanted.has(id))',
    ],
  ]),
  ...faultsIn(
    'domain/data/data_sources/change_relation.ts',
    [...pairs, 'operations/data_sources/updateDataSource.many_links.test.ts'],
    [
      [
        'a relation with a new target stays paired with the old one',
        'const target = await session.open(targetId)\n    await unpair(session, before)\n',
        'const target = await session.open(targetId)\n',
      ],
      [
        'a two-way relation with a new target cannot become one-way',
        "const staysTwoWay = syncedId !== undefined && !('single_property' in request)",
        'const staysTwoWay = syncedId !== undefined',
      ],
      ['links to the former target stay', '    work.push(() => emptyColumn(scope, draft.id, moved))\n', ''],
      [
        'the former opposite of a relation stays two-way',
        '  await unpair(session, before)\n  const paired =',
        '  const paired =',
      ],
      [
        'links of an existing opposite property are not merged',
        '  await addOppositeLinks(scope, relation.dataSourceId, syncedId, relation.id)\n',
        '',
      ],
      [
        'links of rows in the trash are not added to the other side',
        'for await (const { documents } of pageRuns(scope, dataSourceId)) {',
        'for await (const { documents, inTrash } of pageRuns(scope, dataSourceId)) {\n    if (inTrash) continue',
      ],
      [
        'links after the hundredth are not added to the other side',
        'links.more ? await allLinks(scope, id, fromId) : links.ids',
        'links.ids',
      ],
      [
        'an opposite property may take the name of another one',
        'if (target.properties.some((property) => property.name === name)) {',
        'if (target.properties.some((property) => property.name === name && property.id === syncedId)) {',
      ],
      [
        'read access to the target is enough to rename the opposite property',
        'const target = await session.openToChange(dataSourceId)',
        'const target = await session.open(dataSourceId)',
      ],
    ],
  ),
  ...faultsIn('domain/data/data_sources/relations.ts', pairs, [
    ['a paired relation can be paired again', '    property.syncedId === undefined &&\n', ''],
    ['a relation is its own opposite', ' &&\n    property.id !== relation.id\n', '\n'],
    [
      'the description of an older opposite is lost',
      'const description = existing?.description ?? null',
      'const description = null',
    ],
    ['an existing opposite property is renamed', 'writtenName ?? existing?.name ?? freeName(', 'writtenName ?? freeName('],
    [
      'an existing opposite property cannot be named by its name',
      'property.name === name && property.id !== existing?.id)',
      'property.name === name)',
    ],
    [
      'read access to the target is enough to add a property there',
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
        'a template is accepted as a related row',
        "if (block.parentType !== 'data_source_id' || block.parentId !== property.dataSourceId) {",
        'if (block.parentId !== property.dataSourceId) {',
      ],
      [
        'a hidden page can be linked',
        "if (!block || !visible.has(id) || block.type === 'data_source')",
        "if (!block || block.type === 'data_source')",
      ],
      [
        'an unknown group is accepted as a person',
        "if (object === 'user' ? !users.has(id) : !groups.has(id))",
        "if (object === 'user' && !users.has(id))",
      ],
    ],
  ),
]
