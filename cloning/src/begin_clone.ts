import {
  capabilityOrder,
  AdministrationError,
  newSecret,
  type Transaction,
} from '@workspace-service/server/domain/shared/index.ts'
import {
  createConnection,
  createPerson,
  createWorkspace,
  recordCommand,
  requireFreeName,
} from '@workspace-service/server/domain/administration/index.ts'
import { share } from '@workspace-service/server/domain/people/index.ts'
import { newId } from '@workspace-service/server/kernel/ids.ts'
import { findWorkspace } from '@workspace-service/server/store/workspaces.ts'
import type { CloneEndpoints } from './clone.ts'
import type { CloneHead } from './progress_file.ts'

export interface CloneSettings {
  readonly name: string
  /** Its owner, if it has one from the start. */
  readonly owner: { readonly name: string; readonly email: string } | undefined
}

/** The step that is noted when the workspace has been created. */
const MADE = 'workspace'

/**
 * Begins a clone, or resumes an interrupted one. Its first records are noted in advance, so that the next process finds everything that a
 * killed one has created.
 * @param source the address of the server
 * @throws AdministrationError if the name exists already, and if the workspace that was begun no longer exists
 */
export async function beginClone(
  { target, progress }: Pick<CloneEndpoints, 'target' | 'progress'>,
  source: string,
  askSettings: () => Promise<CloneSettings>,
): Promise<CloneHead> {
  const head = progress.head ?? { source, workspaceId: newId(), token: newSecret('itk') }
  if (progress.isDone(MADE)) {
    if (await target.service.database.read((db) => findWorkspace(db, head.workspaceId))) return head
    throw new AdministrationError(
      `${progress.folder} contains the progress of a clone into a workspace that does not exist here. Delete that folder to start again.`,
    )
  }
  const wanted = await askSettings()
  if (!progress.head) progress.begin(head)
  try {
    await target.service.database.exclusively((db) => makeWorkspace(db, head, wanted, Date.now()))
  } catch (error) {
    if (error instanceof AdministrationError) progress.remove()
    throw error
  }
  progress.note(MADE)
  return head
}

/** Creates the workspace of a clone, and the connection that writes it and sees all of it, unless they exist. */
async function makeWorkspace(db: Transaction, head: CloneHead, { name, owner }: CloneSettings, now: number): Promise<void> {
  const { workspaceId, token } = head
  if (await findWorkspace(db, workspaceId)) return
  await createWorkspace(db, await requireFreeName(db, name), now, workspaceId)
  if (owner) await createPerson(db, { workspaceId, ...owner, role: 'owner' }, now)
  const { connectionId } = await createConnection(
    db,
    { workspaceId, kind: 'internal', name: 'Clone', capabilities: capabilityOrder, token },
    now,
  )
  await share(db, workspaceId, { connectionId }, workspaceId, now)
  await recordCommand(db, { workspaceId, action: 'clone', object: { type: 'workspace', id: workspaceId, name } }, now)
}
