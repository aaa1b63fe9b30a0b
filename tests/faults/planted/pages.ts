import { faultsIn, type Fault } from '../fault.ts'

/** Pages: moving them. */
export const pages: readonly Fault[] = [
  ...faultsIn(
    'domain/pages/move.ts',
    ['operations/pages/movePage.test.ts'],
    [
      [
        'a reader moves a page into a data source',
        "  const { db, actor, now } = scope\n  await requireMayEdit(scope, block, 'page')\n",
        '  const { db, actor, now } = scope\n',
      ],
      [
        'a page below a trashed one is moved into a data source',
        "  await requireLiveAncestors(scope, block, 'path.page_id')\n  await requireOpen(scope, dataSource.block, path)\n",
        '  await requireOpen(scope, dataSource.block, path)\n',
      ],
      [
        'the page that a page is taken from does not change',
        '  const around = block.pageId === null ? [] : [block.pageId]\n  await touch(scope.db, workspaceId, [...new Set([block.id, ...around, target.id])], userId, scope.now)',
        '  await touch(scope.db, workspaceId, [...new Set([block.id, target.id])], userId, scope.now)',
      ],
      [
        'the page that a page is taken from into a data source does not change',
        '  await touch(db, actor.workspaceId, [block.id, ...around], actor.userId, now)\n',
        '  await touch(db, actor.workspaceId, around.length < 0 ? around : [block.id], actor.userId, now)\n',
      ],
    ],
  ),
]
