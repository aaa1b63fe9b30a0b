import { faultsIn, type Fault } from '../fault.ts'

const links = [
  'operations/file_uploads/sendFileUpload.downloads.test.ts',
  'operations/blocks/appendBlockChildren.uploads.test.ts',
]

/** Files: sending, attaching, reading and expiry. */
export const fileUploads: readonly Fault[] = [
  ...faultsIn('kernel/file_links.ts', links, [
    ['a link opens its file for two hours', 'LIFETIME_MS = 60 * 60 * 1000', 'LIFETIME_MS = 2 * 60 * 60 * 1000'],
    ['a link opens its file for less than an hour', 'LIFETIME_MS = 60 * 60 * 1000', 'LIFETIME_MS = 59 * 60 * 1000'],
    ['a link opens its file in the very moment of its end', ' || end <= now)', ' || end < now)'],
    ['a link opens its file for ever', ' || end <= now)', ')'],
    ['anyone with a link extends it', 'update(`${workspaceId}/${id}/${end}`)', 'update(`${workspaceId}/${id}/${typeof end}`)'],
    [
      'a link opens other files of its workspace',
      'update(`${workspaceId}/${id}/${end}`)',
      'update(`${workspaceId}/${id.length}/${end}`)',
    ],
    [
      'the signature does not cover the workspace',
      'update(`${workspaceId}/${id}/${end}`)',
      'update(`${workspaceId.length}/${id}/${end}`)',
    ],
    ['the reported end of a link is its beginning', 'expiry_time: toTimestamp(end)', 'expiry_time: toTimestamp(now)'],
  ]),
  ...faultsIn('http/files.ts', links, [
    ['browsers keep a file beyond the end of its link', 'Math.floor((target.end - now) / 1000)', '3600'],
    [
      'an error is kept as the file would be',
      "response.setHeader('Cache-Control', 'no-store')",
      "response.setHeader('Cache-Control', 'max-age=60')",
    ],
  ]),
  ...faultsIn('domain/files/attach.ts', links, [
    [
      'a link into another workspace names a file of this one',
      'return target?.workspaceId === actor.workspaceId ? target.id : undefined',
      "return actor.workspaceId === '' ? undefined : target?.id",
    ],
  ]),
  ...faultsIn(
    'domain/files/attach.ts',
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
    'domain/files/present.ts',
    ['operations/file_uploads/listFileUploads.test.ts', 'operations/file_uploads/retrieveFileUpload.test.ts'],
    [
      [
        'an upload is alive in the very moment of its end',
        'due !== null && due <= now && status',
        'due !== null && due < now && status',
      ],
      [
        'an upload not yet marked as expired keeps its edit time',
        'toTimestamp(status === row.status ? row.last_edited_time : (row.expiry_due ?? row.last_edited_time))',
        'toTimestamp(row.last_edited_time)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/files/expire.ts',
    ['operations/file_uploads/sendFileUpload.downloads.test.ts'],
    [['the bytes of an expired upload stay for ever', '    await deleteParts(db, workspaceId, id, now)\n', '']],
  ),
  ...faultsIn(
    'domain/files/send.ts',
    ['operations/file_uploads/sendFileUpload.test.ts'],
    [
      [
        'a part that is sent again counts twice',
        'parts_sent: row.parts_sent + (earlier ? 0 : 1),',
        'parts_sent: row.parts_sent + 1,',
      ],
      [
        'a part that is sent again lengthens the file',
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
    'domain/files/send.ts',
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
    'domain/files/send.ts',
    ['operations/file_uploads/sendFileUpload.downloads.test.ts'],
    [['the bytes of a replaced part are never deleted', '  if (earlier) await dropObject(db, earlier.object, now)\n', '']],
  ),
  ...faultsIn(
    'domain/files/uploads.ts',
    ['operations/file_uploads/listFileUploads.test.ts', 'operations/file_uploads/retrieveFileUpload.test.ts'],
    [["another's upload begins a list", 'if (upload?.actor_id !== actor.userId) throw', 'if (!upload) throw']],
  ),
  ...faultsIn(
    'domain/files/uploads.ts',
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
    'store/file_uploads.ts',
    ['operations/file_uploads/listFileUploads.test.ts'],
    [['a page begins behind the upload of its cursor', 'and (created_time, id) <= (', 'and (created_time, id) < (']],
  ),
]
