import { faultsIn, type Fault } from '../fault.ts'

const links = [
  'operations/file_uploads/sendFileUpload.downloads.test.ts',
  'operations/blocks/appendBlockChildren.uploads.test.ts',
]

/** Files: sending, attaching, reading and expiry. */
export const fileUploads: readonly Fault[] = [
  ...faultsIn('kernel/file_links.ts', links, [
    ['a link is valid for two hours', 'LIFETIME_MS = 60 * 60 * 1000', 'LIFETIME_MS = 2 * 60 * 60 * 1000'],
    ['a link is valid for less than an hour', 'LIFETIME_MS = 60 * 60 * 1000', 'LIFETIME_MS = 59 * 60 * 1000'],
    ['a link is valid at its expiry time', ' || end <= now)', ' || end < now)'],
    ['a link never expires', ' || end <= now)', ')'],
    [
      'the expiry of a link is not signed',
      'update(`${workspaceId}/${id}/${end}`)',
      'update(`${workspaceId}/${id}/${typeof end}`)',
    ],
    [
      'a link is valid for other files of the workspace',
      'update(`${workspaceId}/${id}/${end}`)',
      'update(`${workspaceId}/${id.length}/${end}`)',
    ],
    [
      'the signature does not cover the workspace',
      'update(`${workspaceId}/${id}/${end}`)',
      'update(`${workspaceId.length}/${id}/${end}`)',
    ],
    ['the reported expiry of a link is its creation time', 'expiry_time: toTimestamp(end)', 'expiry_time: toTimestamp(now)'],
  ]),
  ...faultsIn('http/files.ts', links, [
    ['browsers may cache a file beyond the expiry of its link', 'Math.floor((target.end - now) / 1000)', '3600'],
    [
      'browsers may cache an error',
      "response.setHeader('Cache-Control', 'no-store')",
      "response.setHeader('Cache-Control', 'max-age=60')",
    ],
  ]),
  ...faultsIn('domain/files/attach.ts', links, [
    [
      'a link of another workspace is accepted',
      'return target?.workspaceId === actor.workspaceId ? target.id : undefined',
      "return actor.workspaceId === '' ? undefined : target?.id",
    ],
  ]),
  ...faultsIn(
    'domain/files/attach.ts',
    ['operations/blocks/appendBlockChildren.uploads.test.ts'],
    [
      [
        'an upload can be attached by other callers',
        'if (!row || (row.actor_id !== actor.userId && !isPresent)) throw',
        'if (!row) throw',
      ],
      [
        'only the first of several attached uploads is kept',
        'for (const { id, expiry_due: due } of found.values()) if',
        'for (const { id, expiry_due: due } of [...found.values()].slice(0, 1)) if',
      ],
    ],
  ),
  ...faultsIn(
    'domain/files/present.ts',
    ['operations/file_uploads/listFileUploads.test.ts', 'operations/file_uploads/retrieveFileUpload.test.ts'],
    [
      ['an upload is valid at its expiry time', 'due !== null && due <= now && status', 'due !== null && due < now && status'],
      [
        'an expired upload that is not marked keeps its edit time',
        'toTimestamp(status === row.status ? row.last_edited_time : (row.expiry_due ?? row.last_edited_time))',
        'toTimestamp(row.last_edited_time)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/files/expire.ts',
    ['operations/file_uploads/sendFileUpload.downloads.test.ts'],
    [['the bytes of an expired upload are not deleted', '    await deleteParts(db, workspaceId, id, now)\n', '']],
  ),
  ...faultsIn(
    'domain/files/send.ts',
    ['operations/file_uploads/sendFileUpload.test.ts'],
    [
      [
        'a part that is sent twice counts twice',
        'parts_sent: row.parts_sent + (earlier ? 0 : 1),',
        'parts_sent: row.parts_sent + 1,',
      ],
      [
        'a part that is sent twice adds to the length',
        '(row.content_length ?? 0) - (earlier?.byteLength ?? 0) + file.byteLength',
        '(row.content_length ?? 0) + file.byteLength',
      ],
      [
        'the last part must be as long as the others',
        "mode === 'multi_part' && number !== total && byteLength",
        "mode === 'multi_part' && byteLength",
      ],
      [
        'the content of uploads in parts is not checked',
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
        'a part of the minimum size is refused',
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
    [
      [
        'a list of uploads accepts the upload of another caller as a cursor',
        'if (upload?.actor_id !== actor.userId) throw',
        'if (!upload) throw',
      ],
    ],
  ),
  ...faultsIn(
    'domain/files/uploads.ts',
    ['operations/file_uploads/completeFileUpload.test.ts'],
    [
      [
        'a single-part upload can be completed',
        "if (row.mode !== 'multi_part') throw wrongMode(",
        "if (row.mode === 'external_url') throw wrongMode(",
      ],
    ],
  ),
  ...faultsIn(
    'store/file_uploads.ts',
    ['operations/file_uploads/listFileUploads.test.ts'],
    [['a list begins one upload after its cursor', 'and (created_time, id) <= (', 'and (created_time, id) < (']],
  ),
]
