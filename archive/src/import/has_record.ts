import type { CloneTarget } from '@workspace-service/cloning/clone_target.ts'
import { findBlock } from '@workspace-service/server/store/blocks.ts'

/** Whether a workspace has a page, row or data source with this id. */
export async function hasRecord({ service }: CloneTarget, workspaceId: string, id: string): Promise<boolean> {
  return service.database.read(async (db) => (await findBlock(db, workspaceId, id)) !== undefined)
}
