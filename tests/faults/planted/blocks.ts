import { faultsIn, type Fault } from '../fault.ts'

/** Blocks, comments, pages and their files: what may be written where, and what else changes with it. */
export const blocks: readonly Fault[] = [
  ...faultsIn(
    'domain/blocks/blocks.ts',
    ['oauth/member_access.test.ts'],
    [
      [
        'a reader appends blocks',
        "  await requireMayEdit(scope, parent)\n  requireNotTrashed(parent, 'path.block_id')\n",
        "  requireNotTrashed(parent, 'path.block_id')\n",
      ],
      [
        'a reader deletes blocks',
        '  await requireMayEdit(scope, block)\n  if (block.inTrash) throw',
        '  if (block.inTrash) throw',
      ],
    ],
  ),
  ...faultsIn(
    'domain/blocks/blocks.ts',
    [
      'operations/blocks/appendBlockChildren.test.ts',
      'operations/blocks/appendBlockChildren.position.test.ts',
      'operations/blocks/appendBlockChildren.levels.test.ts',
    ],
    [
      [
        'blocks are appended to what is in the trash',
        "  requireNotTrashed(parent, 'path.block_id')\n  await requireLiveAncestors(scope, parent, 'path.block_id')\n",
        "  await requireLiveAncestors(scope, parent, 'path.block_id')\n",
      ],
      [
        'blocks are appended below what is in the trash',
        "  await requireLiveAncestors(scope, parent, 'path.block_id')\n  await requireOriginals(",
        '  await requireOriginals(',
      ],
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
        'an append that fills its answer does not tell that more follows',
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
    ],
  ),
  ...faultsIn(
    'domain/blocks/blocks.ts',
    ['operations/blocks/listBlockChildren.test.ts'],
    [
      [
        'a list goes on at the wrong place once the block of its cursor stands elsewhere',
        'const found = block?.parentId === parentId ? block.rank : rank\n',
        'const found = block?.rank ?? rank\n',
      ],
      [
        'the children of a database are listed as blocks',
        '  if (!definitionOf(block.type).children.areListed) return undefined\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/blocks/blocks.ts',
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
    'domain/blocks/blocks.ts',
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
    'domain/blocks/blocks.ts',
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
    'domain/blocks/update.ts',
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
        'if (content && JSON.stringify(content) !== JSON.stringify(block.content)) {',
        'if (content) {',
      ],
      ['what a change refers to is not looked for', '  await requireReferences(scope, references)\n', ''],
    ],
  ),
  ...faultsIn(
    'domain/block_types/headings.ts',
    ['operations/blocks/updateBlock.test.ts'],
    [['a heading with children stops being toggleable', "to['is_toggleable'] === false", "to['is_toggleable'] === null"]],
  ),
  ...faultsIn(
    'domain/block_types/table.ts',
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
    'domain/blocks/update.ts',
    ['oauth/member_access.test.ts'],
    [['a reader changes blocks', '  await requireMayEdit(scope, block)\n', '']],
  ),
  ...faultsIn(
    'domain/blocks/plan.ts',
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
    'domain/block_types/table.ts',
    ['operations/blocks/appendBlockChildren.test.ts'],
    [['a table row stands alone inside a toggle', "    partOf: 'table',\n", '    partOf: null,\n']],
  ),
  ...faultsIn(
    'domain/blocks/plan.ts',
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
    'domain/block_types/headings.ts',
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
    'domain/blocks/present.ts',
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
    'domain/block_types/media.ts',
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
  ...faultsIn(
    'domain/comments/access.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [
      [
        'a reader comments',
        '  await requireMayEdit(scope, parent, kindOf(parent))\n  requireNotTrashed(parent, path)\n',
        '  requireNotTrashed(parent, path)\n',
      ],
      [
        'what lies below the trash is commented on',
        '  requireNotTrashed(parent, path)\n  await requireLiveAncestors(scope, parent, path)\n',
        '  requireNotTrashed(parent, path)\n',
      ],
      [
        'comments on one block share a discussion, as those on a page do',
        "return type === 'child_page' ? findOldestDiscussion(",
        "return type !== 'child_database' ? findOldestDiscussion(",
      ],
    ],
  ),
  ...faultsIn(
    'domain/comments/access.ts',
    ['operations/comments/updateComment.test.ts'],
    [
      [
        'members change the comments of other members',
        'connectionId === null && createdBy === actor.userId',
        'connectionId === null',
      ],
    ],
  ),
  ...faultsIn(
    'domain/comments/comments.ts',
    ['operations/comments/updateComment.test.ts'],
    [
      [
        'a comment on what is in the trash is changed',
        "  await requireMayComment(scope, parent, 'path.comment_id')\n",
        '  await requireMayEdit(scope, parent, kindOf(parent))\n',
      ],
      [
        'a changed comment shows its old time of edit in the answer',
        'presentWrittenComment(scope, parent, { ...comment, richText, lastEditedTime: scope.now })',
        'presentWrittenComment(scope, parent, { ...comment, richText })',
      ],
    ],
  ),
  ...faultsIn(
    'domain/comments/comments.ts',
    ['operations/comments/deleteComment.test.ts'],
    [['a reader deletes its comment', '  await requireMayEdit(scope, parent, kindOf(parent))\n  const answer', '  const answer']],
  ),
  ...faultsIn(
    'domain/comments/comments.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [
      [
        'a reply in a resolved discussion is listed',
        'await insertComment(db, actor.workspaceId, comment, !place.discussion?.isResolved)',
        'await insertComment(db, actor.workspaceId, comment, true)',
      ],
      ['files of a comment need not be there', '  await requireReferences(scope, uploads)\n', ''],
    ],
  ),
  ...faultsIn(
    'domain/comments/display_name.ts',
    ['operations/comments/createComment.test.ts', 'operations/comments/createComment.bad_input.test.ts'],
    [
      [
        'a comment in the name of the person is shown under that of the bot',
        '    return { type, userId: actor.personId }\n',
        '    return { type, userId: actor.userId }\n',
      ],
    ],
  ),
  ...faultsIn(
    'domain/pages/pages.ts',
    ['operations/pages/createPage.test.ts'],
    [
      [
        'the parent of a new page is not edited',
        '  if (parent.block && !parent.dataSource)\n    await touch(',
        '  if (parent.block && parent.dataSource)\n    await touch(',
      ],
      ['a new page may hold a mirror of a mirror', '  await requireOriginals(scope, references)\n  requireFit(', '  requireFit('],
      [
        'children that do not stand on a page are put there',
        "  requireFit({ type: 'child_page', content: {} }, content.drafts, path)\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/pages/pages.ts',
    [
      'operations/async_tasks/retrieveAsyncTask.test.ts',
      'operations/async_tasks/retrieveAsyncTask.attempts.test.ts',
      'operations/pages/createPage.markdown.test.ts',
    ],
    [
      [
        'a page that is made later gets no answer about the parent that it may not write to',
        '  await requireOpenParent(scope, parent, request, references)\n  if (parent.dataSource && row) await requireRoomForRow(scope, parent.dataSource, row)\n  await placeOf(',
        '  await placeOf(',
      ],
    ],
  ),
  ...faultsIn(
    'domain/pages/parents.ts',
    ['operations/pages/createPage.test.ts'],
    [
      ['a page in the trash takes sub-pages', '  requireNotTrashed(parent, path)\n', ''],
      ['what lies below the trash takes sub-pages', '  await requireLiveAncestors(scope, parent, path)\n', ''],
      [
        'a connection without a person makes pages at the top, seeing all or not',
        'if (scope.actor.personId === undefined && !scope.actor.seesWholeWorkspace) {',
        'if (scope.actor.memberLevel !== undefined && !scope.actor.seesWholeWorkspace && scope.actor.personId === undefined) {',
      ],
    ],
  ),
  ...faultsIn(
    'domain/pages/update.ts',
    ['oauth/member_access.test.ts'],
    [['a reader changes a page', "  await requireMayEdit(scope, block, 'page')\n", '']],
  ),
  ...faultsIn(
    'domain/pages/update.ts',
    ['operations/pages/updatePage.test.ts'],
    [
      ['a page below the trash is changed', "  await requireLiveAncestors(scope, block, 'path.page_id')\n", ''],
      [
        'a page in the trash cannot be put there again',
        'const onlyTrashes = request.in_trash === true && Object.keys(request).length === 1',
        'const onlyTrashes = request.in_trash === true && Object.keys(request).length === 0',
      ],
    ],
  ),
  ...faultsIn(
    'domain/pages/update.ts',
    ['operations/pages/updatePage.erase_content.test.ts'],
    [
      [
        'a page that was only erased counts as untouched',
        'if (erased || changed || rowChanged) await touch(',
        'if (changed || rowChanged) await touch(',
      ],
    ],
  ),
  ...faultsIn(
    'domain/pages/erase.ts',
    ['operations/pages/updatePage.erase_content.test.ts'],
    [
      [
        'a page of nothing but sub-pages counts as untouched when it is erased',
        'return inBlocks + trashed + erased.length > 0',
        'return inBlocks + erased.length > 0',
      ],
    ],
  ),
  ...faultsIn(
    'domain/pages/templates.ts',
    ['operations/pages/createPage.templates.test.ts'],
    [
      [
        'a template in the trash can be applied',
        "    throw invalid(path, 'should be the id of a page outside the trash')\n",
        '    void path\n',
      ],
      ['a template replaces the looks that the request itself set', ', ...looks.map((name) => `.${name}`)],', '],'],
      [
        'dates of a template are those of the workspace clock, whoever asks',
        'template.timeZone ?? (await zoneOf(scope)),',
        "template.timeZone ?? 'UTC',",
      ],
    ],
  ),
  ...faultsIn(
    'domain/pages/copy_tree.ts',
    ['operations/pages/createPage.templates.test.ts'],
    [
      ['a copy is locked like its template', '{ ...page, isLocked: false, isArchived: false }', '{ ...page, isArchived: false }'],
      [
        'references within a template lead back to it',
        'return mapTexts(content, (text) => ids.get(text) ?? text) as StoredContent',
        'return mapTexts(content, (text) => (ids.size < 0 ? (ids.get(text) ?? text) : text)) as StoredContent',
      ],
      [
        'only the first hundred blocks of a page are copied',
        'if (children.length < RUN) break',
        'if (children.length <= RUN) break',
      ],
    ],
  ),
  ...faultsIn(
    'domain/file_uploads/attach.ts',
    ['operations/blocks/appendBlockChildren.uploads.test.ts'],
    [
      [
        "anybody attaches anybody's upload",
        'if (!row || (row.actor_id !== actor.userId && !isPresent)) throw',
        'if (!row) throw',
      ],
      [
        'of several uploads that are attached, only the first is kept for ever',
        'for (const { id, expiry_due: due } of found.values()) if',
        'for (const { id, expiry_due: due } of [...found.values()].slice(0, 1)) if',
      ],
    ],
  ),
  ...faultsIn(
    'domain/file_uploads/present.ts',
    ['operations/file_uploads/listFileUploads.test.ts', 'operations/file_uploads/retrieveFileUpload.test.ts'],
    [
      [
        'an upload is alive in the very moment of its end',
        'due !== null && due <= now && status',
        'due !== null && due < now && status',
      ],
      [
        'an upload that nobody has marked as expired keeps its time of edit',
        'toTimestamp(status === row.status ? row.last_edited_time : (row.expiry_due ?? row.last_edited_time))',
        'toTimestamp(row.last_edited_time)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/file_uploads/expire.ts',
    ['operations/file_uploads/sendFileUpload.downloads.test.ts'],
    [['the bytes of an expired upload stay for ever', '    await deleteParts(db, workspaceId, id, now)\n', '']],
  ),
  ...faultsIn(
    'domain/file_uploads/send.ts',
    ['operations/file_uploads/sendFileUpload.test.ts'],
    [
      [
        'a part that is sent anew counts twice',
        'parts_sent: row.parts_sent + (earlier ? 0 : 1),',
        'parts_sent: row.parts_sent + 1,',
      ],
      [
        'a part that is sent anew lengthens the file',
        '(row.content_length ?? 0) - (earlier?.byteLength ?? 0) + file.byteLength',
        '(row.content_length ?? 0) + file.byteLength',
      ],
      [
        'the last part must be as long as the others',
        "mode === 'multi_part' && number !== total && byteLength",
        "mode === 'multi_part' && byteLength",
      ],
      [
        'only uploads in one piece are looked into',
        'if (number === 1) await requireHonest(',
        "if (row.mode === 'single_part') await requireHonest(",
      ],
    ],
  ),
  ...faultsIn(
    'domain/file_uploads/send.ts',
    ['operations/file_uploads/completeFileUpload.test.ts'],
    [
      [
        'a part of exactly the least size is refused',
        'number !== total && byteLength < PART_BYTES_MIN',
        'number !== total && byteLength <= PART_BYTES_MIN',
      ],
    ],
  ),
  ...faultsIn(
    'domain/file_uploads/send.ts',
    ['operations/file_uploads/sendFileUpload.downloads.test.ts'],
    [
      [
        'the bytes of a part that is sent anew are never dropped',
        '  if (earlier) await dropObject(db, earlier.object, now)\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/file_uploads/uploads.ts',
    ['operations/file_uploads/listFileUploads.test.ts', 'operations/file_uploads/retrieveFileUpload.test.ts'],
    [
      [
        'a cursor that is an id begins behind that upload',
        'return { upload: named, isIncluded: true }',
        'return { upload: named, isIncluded: false }',
      ],
      ["another's upload begins a list", '  if (named?.actor_id === actor.userId) return {', '  if (named) return {'],
    ],
  ),
  ...faultsIn(
    'domain/file_uploads/uploads.ts',
    ['operations/file_uploads/completeFileUpload.test.ts'],
    [
      [
        'an upload in one piece can be completed',
        "if (row.mode !== 'multi_part') throw wrongMode(",
        "if (row.mode === 'external_url') throw wrongMode(",
      ],
    ],
  ),
  ...faultsIn(
    'domain/search/search.ts',
    ['operations/search/search.test.ts'],
    [
      ['a search that ends early does not say so', 'isComplete || page.hasMore)', 'isComplete || !page.hasMore)'],
      [
        'each page of a search goes on by time alone',
        'const from = id === undefined ? undefined : { rank: Number(rank),',
        'const from = id === undefined ? undefined : { rank: Number(rank) * 0,',
      ],
    ],
  ),
  {
    title: 'pages that stood in erased blocks stay outside the trash',
    file: 'domain/pages/erase.ts',
    find: '    await trashBlocks(db, workspaceId, seen, userId, now)\n',
    replace: '    if (lifted < 0) await trashBlocks(db, workspaceId, seen, userId, now)\n',
    tests: ['operations/pages/updatePage.erase_content.test.ts'],
    equivalent: 'They stand on the page itself by then, and with all others on it they go to the trash a moment later.',
  },
]
