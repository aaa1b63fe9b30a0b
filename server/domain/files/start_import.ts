import { id as idForm, object } from '../../store/stored/form.ts'
import { enqueue, type WriteScope } from '../shared/index.ts'

export const FILE_IMPORT = 'file_import'

export interface ImportPayload {
  /** The id of the upload. */
  readonly id: string
}

export const importPayloadForm = object({ id: idForm })

/** Enqueues the import of an upload. */
export async function startImport({ db, actor, now }: WriteScope, id: string): Promise<void> {
  const payload: ImportPayload = { id }
  await enqueue(db, { kind: FILE_IMPORT, workspaceId: actor.workspaceId, key: id, payload, dueTime: now })
}
