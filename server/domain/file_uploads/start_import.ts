import { enqueue } from '../jobs/queue.ts'
import type { WriteScope } from '../scope.ts'

/** The kind of job that imports a file. */
export const FILE_IMPORT = 'file_import'

/** What such a job is given. */
export interface ImportPayload {
  /** Id of the upload. */
  readonly id: string
}

/** Leaves the import of an upload to a job. */
export async function startImport({ db, actor, now }: WriteScope, id: string): Promise<void> {
  const payload: ImportPayload = { id }
  await enqueue(db, { kind: FILE_IMPORT, workspaceId: actor.workspaceId, key: id, payload, dueTime: now })
}
