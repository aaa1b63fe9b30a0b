import { faultsIn, type Fault } from '../fault.ts'

const append = [
  'operations/blocks/appendBlockChildren.test.ts',
  'operations/blocks/appendBlockChildren.position.test.ts',
  'operations/blocks/appendBlockChildren.levels.test.ts',
]

/** Blocks: where they may be written, and side effects on others. */
export const blocks: readonly Fault[] = [
  ...faultsIn(
    'domain/content/blocks/access.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'read access is enough to append blocks',
        '  await requireMayEdit(scope, block, kind)\n',
        "  if (path !== 'path.block_id') await requireMayEdit(scope, block, kind)\n",
      ],
    ],
  ),
  ...faultsIn('domain/content/blocks/access.ts', append, [
    [
      'blocks can be appended to a block in the trash',
      '  requireNotTrashed(block, path)\n',
      "  if (path !== 'path.block_id') requireNotTrashed(block, path)\n",
    ],
    [
      'blocks can be appended below a block in the trash',
      '  requireNotTrashed(block, path)\n  await requireLiveAncestors(scope, block, path)\n',
      "  requireNotTrashed(block, path)\n  if (path !== 'path.block_id') await requireLiveAncestors(scope, block, path)\n",
    ],
  ]),
  ...faultsIn(
    'domain/content/blocks/blocks.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'read access is enough to delete blocks',
        '  await requireMayEdit(scope, block)\n  if (block.inTrash) throw',
        '  if (block.inTrash) throw',
      ],
    ],
  ),
  ...faultsIn('domain/content/blocks/blocks.ts', append, [
    [
      'a copy of a synced copy can be appended',
      '  await requireOriginals(scope, references)\n  if (drafts.length === 0)',
      '  if (drafts.length === 0)',
    ],
    [
      'an append does not change the edit time of the page',
      '  await touch(scope.db, scope.actor.workspaceId, editedIds(parent), scope.actor.userId, scope.now)\n  const mayList',
      '  await touch(scope.db, scope.actor.workspaceId, [parent.id], scope.actor.userId, scope.now)\n  const mayList',
    ],
    [
      'a caller without read_content receives existing siblings',
      "const mayList = place.before !== null && scope.actor.capabilities.has('read_content')",
      'const mayList = place.before !== null',
    ],
    [
      'an append that fills its response does not report that more follows',
      'const room = APPENDED_PAGE_SIZE - written.length\n',
      'const room = APPENDED_PAGE_SIZE - written.length - 1\n',
    ],
    [
      'blocks can be inserted after a block in the trash',
      'if (!sibling || sibling.parentId !== parent.id || sibling.inTrash) {',
      'if (!sibling || sibling.parentId !== parent.id) {',
    ],
    [
      'blocks can be inserted after a block of another parent',
      'if (!sibling || sibling.parentId !== parent.id || sibling.inTrash) {',
      'if (!sibling || sibling.inTrash) {',
    ],
  ]),
  ...faultsIn(
    'domain/content/blocks/blocks.ts',
    ['operations/blocks/listBlockChildren.test.ts'],
    [
      [
        'the id of a block of another parent is a valid cursor',
        'if (block?.parentId !== parentId) throw badEntry(request)',
        'if (!block) throw badEntry(request)',
      ],
      [
        'the children of a database are listed as blocks',
        '  if (!definitionOf(block.type).children.areListed) return undefined\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/blocks.ts',
    ['operations/blocks/deleteBlock.test.ts'],
    [
      [
        'a block below the trash can be deleted again',
        "  await requireLiveAncestors(scope, block, 'path.block_id')\n  await moveToTrash(",
        '  await moveToTrash(',
      ],
      [
        'deleting a block does not change the edit time of the page',
        'const page = block.pageId === null ? [] : [block.pageId]\n',
        'const page = block.pageId === null || inTrash ? [] : [block.pageId]\n',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/blocks.ts',
    ['operations/blocks/updateBlock.test.ts', 'operations/blocks/updateBlock.bad_input.test.ts'],
    [
      [
        'restoring a block does not change the edit time of the page',
        'const page = block.pageId === null ? [] : [block.pageId]\n',
        'const page = block.pageId === null || !inTrash ? [] : [block.pageId]\n',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/blocks.ts',
    ['operations/data_sources/queryDataSource.test.ts'],
    [
      [
        'filters still find rows in the trash',
        "if (block.parentType === 'data_source_id') await setCellsTrashed(",
        "if (block.parentType === 'data_source_id' && !inTrash) await setCellsTrashed(",
      ],
      [
        'filters do not find a restored row',
        "if (block.parentType === 'data_source_id') await setCellsTrashed(",
        "if (block.parentType === 'data_source_id' && inTrash) await setCellsTrashed(",
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/update.ts',
    ['operations/blocks/updateBlock.test.ts', 'operations/blocks/updateBlock.bad_input.test.ts'],
    [
      [
        'restoring a block can also change it',
        'return request.in_trash === false && Object.keys(request).length === 1',
        'return request.in_trash === false',
      ],
      ['blocks below the trash can be changed', "  await requireLiveAncestors(scope, block, 'path.block_id')\n", ''],
      [
        'writing the stored value counts as an edit',
        'const isChanged = content && !(await readsTheSame(scope, block, content))',
        'const isChanged = content',
      ],
      ['references of an update are not checked', '  await requireReferences(scope, references)\n', ''],
    ],
  ),
  ...faultsIn(
    'domain/content/block_types/headings.ts',
    ['operations/blocks/updateBlock.test.ts'],
    [['a heading with children stops being toggleable', "to['is_toggleable'] === false", "to['is_toggleable'] === null"]],
  ),
  ...faultsIn(
    'domain/content/block_types/table.ts',
    ['operations/blocks/updateBlock.test.ts'],
    [
      [
        'a table row may have more cells than the table has columns',
        'Array.isArray(row) && row.length !== width)',
        'Array.isArray(row) && row.length < Number(width))',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/update.ts',
    ['oauth/member_access.test.ts'],
    [['read access is enough to change blocks', '  await requireMayEdit(scope, block)\n', '']],
  ),
  ...faultsIn(
    'domain/content/blocks/plan.ts',
    [
      'operations/blocks/appendBlockChildren.test.ts',
      'operations/blocks/appendBlockChildren.position.test.ts',
      'operations/blocks/appendBlockChildren.levels.test.ts',
    ],
    [
      [
        'an error about a nested block names its parent',
        '        childPath,\n        `should be ${only === null',
        '        path,\n        `should be ${only === null',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/block_types/table.ts',
    ['operations/blocks/appendBlockChildren.test.ts'],
    [['a toggle may contain a table row', "    partOf: 'table',\n", '    partOf: null,\n']],
  ),
  ...faultsIn(
    'domain/content/blocks/plan.ts',
    ['operations/blocks/appendBlockChildren.bad_input.test.ts'],
    [
      [
        'nesting is checked on the first level only',
        '  if (children.length > 0) requireFit(draft, children, `${contentPath}.children`)\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/block_types/headings.ts',
    ['operations/blocks/appendBlockChildren.block_types.test.ts', 'operations/blocks/appendBlockChildren.rich_text.test.ts'],
    [
      [
        'a heading with children is stored as not toggleable',
        'contentAround: (content) => ({ ...content, is_toggleable: true })',
        'contentAround: (content) => content',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/present.ts',
    ['operations/blocks/listBlockChildren.test.ts'],
    [
      [
        'a synced copy shows a hidden original',
        'filter(([id, block]) => visible.has(id) && !block.inTrash)',
        'filter(([, block]) => visible.size >= 0 && !block.inTrash)',
      ],
      [
        'a numbered item inside a list has a start number',
        'return new Map([...starts].filter(([id]) => before.get(id) !== types.get(id)))',
        'return before.size < 0 ? new Map() : starts',
      ],
      [
        'a synced copy shows an original in the trash',
        'filter(([id, block]) => visible.has(id) && !block.inTrash)',
        'filter(([id]) => visible.has(id))',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/block_types/media.ts',
    ['operations/blocks/appendBlockChildren.uploads.test.ts'],
    [
      [
        'a new file keeps the old caption',
        'storeRichText(written.caption, `${path}.caption`, references) : (stored?.caption ?? [])',
        'storeRichText(written.caption, `${path}.caption`, references) : []',
      ],
      [
        'any file is accepted as an image',
        'storedFile(references.addUpload(id, `${path}.${place}`, use))',
        "storedFile(references.addUpload(id, `${path}.${place}`, isNamed ? use : 'any'))",
      ],
    ],
  ),
]
