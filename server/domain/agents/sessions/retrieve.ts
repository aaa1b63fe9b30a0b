import type { SessionDetail } from '../../../../generated/types.ts'
import type { Scope } from '../../shared/index.ts'
import { requireSession } from './access.ts'
import { presentDetails } from './present.ts'

export async function retrieveSession(scope: Scope, id: string): Promise<SessionDetail> {
  const { session, visible } = await requireSession(scope, id)
  const [detail] = await presentDetails(scope, [session], (row) => visible.mayEdit(row))
  if (!detail) throw new Error(`session ${session.id} was not read`)
  return detail
}
