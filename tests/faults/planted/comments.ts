import { faultsIn, type Fault } from '../fault.ts'

/** Comments: rights, positions and author names. */
export const comments: readonly Fault[] = [
  ...faultsIn(
    'domain/content/blocks/access.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [
      [
        'read access is enough to comment',
        '  await requireMayEdit(scope, block, kind)\n',
        "  if (!path.startsWith('body.')) await requireMayEdit(scope, block, kind)\n",
      ],
      [
        'a block below the trash can be commented on',
        '  requireNotTrashed(block, path)\n  await requireLiveAncestors(scope, block, path)\n',
        "  requireNotTrashed(block, path)\n  if (!path.startsWith('body.')) await requireLiveAncestors(scope, block, path)\n",
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/comments/access.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [
      [
        'comments on a block share one discussion',
        "return type === 'child_page' ? findOldestDiscussion(",
        "return type !== 'child_database' ? findOldestDiscussion(",
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/comments/access.ts',
    ['operations/comments/updateComment.test.ts'],
    [
      [
        'members can change comments of other members',
        'connectionId === null && createdBy === actor.userId',
        'connectionId === null',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/comments/comments.ts',
    ['operations/comments/updateComment.test.ts'],
    [
      [
        'a comment on a block in the trash can be changed',
        "  await requireOpen(scope, parent, definitionOf(parent.type).record, 'path.comment_id')\n",
        '  await requireMayEdit(scope, parent, definitionOf(parent.type).record)\n',
      ],
      [
        'a changed comment shows its old edit time in the response',
        'presentWrittenComment(scope, parent, { ...comment, richText, lastEditedTime: scope.now })',
        'presentWrittenComment(scope, parent, { ...comment, richText })',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/comments/comments.ts',
    ['operations/comments/deleteComment.test.ts'],
    [
      [
        'read access is enough to delete an own comment',
        '  await requireMayEdit(scope, parent, definitionOf(parent.type).record)\n  const presented',
        '  const presented',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/comments/comments.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [
      [
        'a reply in a resolved discussion is listed',
        'await insertComment(db, actor.workspaceId, comment, !place.discussion?.isResolved)',
        'await insertComment(db, actor.workspaceId, comment, true)',
      ],
      ['files of a comment are not checked', '  await requireReferences(scope, uploads)\n', ''],
    ],
  ),
  ...faultsIn(
    'domain/content/comments/display_name.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [
      [
        'a comment in the name of the person is shown under that of the bot',
        '    return { type, userId: actor.personId }\n',
        '    return { type, userId: actor.userId }\n',
      ],
    ],
  ),
]
