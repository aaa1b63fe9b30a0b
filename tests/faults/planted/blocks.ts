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
        'a reader appends blocks',
        '  await requireMayEdit(scope, block, kind)\n',
        "  if (path !== 'path.block_id') await requireMayEdit(scope, block, kind)\n",
      ],
    ],
  ),
  ...faultsIn('domain/content/blocks/access.ts', append, [
    [
      'blocks are appended to what is in the trash',
      '  requireNotTrashed(block, path)\n',
      "  if (path !== 'path.block_id') requireNotTrashed(block, path)\n",
    ],
    [
      'blocks are appended below what is in the trash',
      '  requireNotTrashed(block, path)\n  await requireLiveAncestors(scope, block, path)\n',
      "  requireNotTrashed(block, path)\n  if (path !== 'path.block_id') await requireLiveAncestors(scope, block, path)\n",
    ],
  ]),
  ...faultsIn(
    'domain/content/blocks/blocks.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'a reader deletes blocks',
        '  await requireMayEdit(scope, block)\n  if (block.inTrash) throw',
        '  if (block.inTrash) throw',
      ],
    ],
  ),
  ...faultsIn('domain/content/blocks/blocks.ts', append, [
    [
      'a mirror of a mirror is appended',
      '  await requireOriginals(scope, references)\n  if (drafts.length === 0)',
      '  if (drafts.length === 0)',
    ],
    [
      'the page around a block that gets children is not edited',
      '  await touch(scope.db, scope.actor.workspaceId, editedIds(parent), scope.actor.userId, scope.now)\n  const mayList',
      '  await touch(scope.db, scope.actor.workspaceId, [parent.id], scope.actor.userId, scope.now)\n  const mayList',
    ],
    [
      'who may not read gets the siblings of what it appended',
      "const mayList = place.before !== null && scope.actor.capabilities.has('read_content')",
      'const mayList = place.before !== null',
    ],
    [
      'an append that fills its response does not report that more follows',
      'const room = APPENDED_PAGE_SIZE - written.length\n',
      'const room = APPENDED_PAGE_SIZE - written.length - 1\n',
    ],
    [
      'blocks go behind one that is in the trash',
      'if (!sibling || sibling.parentId !== parent.id || sibling.inTrash) {',
      'if (!sibling || sibling.parentId !== parent.id) {',
    ],
    [
      'blocks go behind one of another parent',
      'if (!sibling || sibling.parentId !== parent.id || sibling.inTrash) {',
      'if (!sibling || sibling.inTrash) {',
    ],
  ]),
  ...faultsIn(
    'domain/content/blocks/blocks.ts',
    ['operations/blocks/listBlockChildren.test.ts'],
    [
      [
        'a list continues behind a block that stands elsewhere',
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
        'what lies below the trash is deleted once more',
        "  await requireLiveAncestors(scope, block, 'path.block_id')\n  await moveToTrash(",
        '  await moveToTrash(',
      ],
      [
        'the page around a block that goes to the trash is not edited',
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
        'the page around a block that comes back is not edited',
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
        'filters do not find a row again that came back from the trash',
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
        'a trashed block takes content beside its restoring',
        'return request.in_trash === false && Object.keys(request).length === 1',
        'return request.in_trash === false',
      ],
      ['blocks below the trash are changed', "  await requireLiveAncestors(scope, block, 'path.block_id')\n", ''],
      [
        'a change to what is there already counts as an edit',
        'const isChanged = content && !(await readsTheSame(scope, block, content))',
        'const isChanged = content',
      ],
      ['what a change refers to is not looked for', '  await requireReferences(scope, references)\n', ''],
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
        'a table row takes more cells than its table has columns',
        'Array.isArray(row) && row.length !== width)',
        'Array.isArray(row) && row.length < Number(width))',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/update.ts',
    ['oauth/member_access.test.ts'],
    [['a reader changes blocks', '  await requireMayEdit(scope, block)\n', '']],
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
        'a misfit is reported of its parent',
        '        childPath,\n        `should be ${only === null',
        '        path,\n        `should be ${only === null',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/block_types/table.ts',
    ['operations/blocks/appendBlockChildren.test.ts'],
    [['a table row stands alone inside a toggle', "    partOf: 'table',\n", '    partOf: null,\n']],
  ),
  ...faultsIn(
    'domain/content/blocks/plan.ts',
    ['operations/blocks/appendBlockChildren.bad_input.test.ts'],
    [
      [
        'rules of nesting hold for the first level alone',
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
        'a heading with children is left closed',
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
        'a mirror shows an original that the caller cannot see',
        'filter(([id, block]) => visible.has(id) && !block.inTrash)',
        'filter(([, block]) => visible.size >= 0 && !block.inTrash)',
      ],
      [
        'a numbered item in the midst of a run says where it starts',
        'return new Map([...starts].filter(([id]) => before.get(id) !== types.get(id)))',
        'return before.size < 0 ? new Map() : starts',
      ],
      [
        'a mirror shows an original in the trash',
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
        'a new file keeps the caption from its block',
        'storeRichText(written.caption, `${path}.caption`, references) : (stored?.caption ?? [])',
        'storeRichText(written.caption, `${path}.caption`, references) : []',
      ],
      [
        'any file serves as a picture',
        'storedFile(references.addUpload(id, `${path}.${place}`, use))',
        "storedFile(references.addUpload(id, `${path}.${place}`, isNamed ? use : 'any'))",
      ],
    ],
  ),
]
