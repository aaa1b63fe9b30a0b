import { faultsIn, type Fault } from '../fault.ts'

/** Pages: creating and moving them, templates, and erased content. */
export const pages: readonly Fault[] = [
  ...faultsIn(
    'domain/data/pages/pages.ts',
    ['operations/pages/createPage.test.ts'],
    [
      [
        'the parent of a new page is not edited',
        '  if (parent.block && !parent.dataSource)\n    await touch(',
        '  if (parent.block && parent.dataSource)\n    await touch(',
      ],
      [
        'a new page may contain a copy of a synced copy',
        '  await requireOriginals(scope, references)\n  requireFit(',
        '  requireFit(',
      ],
      [
        'a new page accepts children that a page cannot contain',
        "  requireFit({ type: 'child_page', content: {} }, content.drafts, path)\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/pages/pages.ts',
    [
      'operations/async_tasks/retrieveAsyncTask.test.ts',
      'operations/async_tasks/retrieveAsyncTask.attempts.test.ts',
      'operations/pages/createPage.markdown.test.ts',
    ],
    [
      [
        'a deferred page creation does not report a missing right on the parent',
        '  await requireOpenParent(scope, parent, request, references)\n  if (parent.dataSource && row) await requireRoomForRow(scope, parent.dataSource, row)\n  await placeOf(',
        '  await placeOf(',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/access.ts',
    ['operations/pages/createPage.test.ts'],
    [
      [
        'pages can be created below a page in the trash',
        '  requireNotTrashed(block, path)\n',
        "  if (path !== 'body.parent') requireNotTrashed(block, path)\n",
      ],
      [
        'pages can be created below the trash',
        '  requireNotTrashed(block, path)\n  await requireLiveAncestors(scope, block, path)\n',
        "  requireNotTrashed(block, path)\n  if (path !== 'body.parent') await requireLiveAncestors(scope, block, path)\n",
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/pages/parents.ts',
    ['operations/pages/createPage.test.ts'],
    [
      [
        'a connection without a person creates top-level pages without access to the whole workspace',
        'if (scope.actor.personId === undefined && !scope.actor.seesWholeWorkspace) {',
        'if (scope.actor.memberLevel !== undefined && !scope.actor.seesWholeWorkspace && scope.actor.personId === undefined) {',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/pages/update.ts',
    ['oauth/member_access.test.ts'],
    [['read access is enough to change a page', "  await requireMayEdit(scope, block, 'page')\n", '']],
  ),
  ...faultsIn(
    'domain/content/blocks/access.ts',
    ['operations/pages/updatePage.test.ts'],
    [
      [
        'a page below the trash can be changed',
        'false.`)\n  await requireLiveAncestors(scope, block, path)\n',
        "false.`)\n  if (kind !== 'page') await requireLiveAncestors(scope, block, path)\n",
      ],
      ['deleting a page in the trash is an error', '=== true && length === 1', '=== true && length === 0'],
    ],
  ),
  ...faultsIn(
    'domain/data/pages/update.ts',
    ['operations/pages/updatePage.erase_content.test.ts'],
    [
      [
        'erasing a page does not count as an edit',
        'if (erased || changed || rowChanged) await touch(',
        'if (changed || rowChanged) await touch(',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/blocks/erase_page.ts',
    ['operations/pages/updatePage.erase_content.test.ts'],
    [
      [
        'a page with only child pages counts as unchanged when it is erased',
        'return inBlocks + trashed + erased.length > 0',
        'return inBlocks + erased.length > 0',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/pages/templates.ts',
    ['operations/pages/createPage.templates.test.ts'],
    [
      [
        'a template in the trash can be applied',
        "    throw invalid(path, 'should be the id of a page outside the trash')\n",
        '    void path\n',
      ],
      ['a template replaces icon and cover of the request', ', ...looks.map((name) => `.${name}`)],', '],'],
      [
        'dates of a template are in UTC, not in the time zone of the workspace',
        'template.timeZone ?? (await zoneOf(scope)),',
        "template.timeZone ?? 'UTC',",
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/pages/copy_tree.ts',
    ['operations/pages/createPage.templates.test.ts'],
    [
      ['a copy is locked like its template', '{ ...page, isLocked: false, isArchived: false }', '{ ...page, isArchived: false }'],
      [
        'references within a template lead back to it',
        "(typeof value === 'string' ? (ids.get(value) ?? value) : value)",
        "(typeof value === 'string' && ids.size < 0 ? ids.get(value) : value)",
      ],
      [
        'only the first hundred blocks of a page are copied',
        'if (children.length < RUN) break',
        'if (children.length <= RUN) break',
      ],
    ],
  ),
  {
    title: 'pages inside erased blocks stay outside the trash',
    file: 'domain/content/blocks/erase_page.ts',
    find: '    await trashBlocks(db, workspaceId, seen, userId, now)\n',
    replace: '    if (lifted < 0) await trashBlocks(db, workspaceId, seen, userId, now)\n',
    tests: ['operations/pages/updatePage.erase_content.test.ts'],
    equivalent: 'They stand on the page itself by then, and with all others on it they go to the trash a moment later.',
  },
  ...faultsIn(
    'domain/content/blocks/access.ts',
    ['operations/pages/movePage.test.ts'],
    [
      [
        'read access is enough to move a page into a data source',
        '  await requireMayEdit(scope, block, kind)\n',
        "  if (path !== 'path.page_id') await requireMayEdit(scope, block, kind)\n",
      ],
      [
        'a page below the trash can be moved into a data source',
        '  requireNotTrashed(block, path)\n  await requireLiveAncestors(scope, block, path)\n',
        "  requireNotTrashed(block, path)\n  if (path !== 'path.page_id') await requireLiveAncestors(scope, block, path)\n",
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/pages/move.ts',
    ['operations/pages/movePage.test.ts'],
    [
      [
        'moving a page does not change the edit time of the old parent',
        'const pages = [block.pageId, dataSource',
        'const pages = [dataSource ? block.pageId : null, dataSource',
      ],
      [
        'moving a page into a data source does not change the edit time of the old parent',
        'const pages = [block.pageId, dataSource',
        'const pages = [dataSource ? null : block.pageId, dataSource',
      ],
    ],
  ),
]
