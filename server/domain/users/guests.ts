import { listItemsOpenTo, memberLevels, visibleAmong, type Seer } from '../../store/access.ts'
import { listGrants } from '../../store/grants.ts'
import { defaultLevel } from '../membership.ts'
import type { Scope } from '../scope.ts'

/** Items that are looked at on either side. */
const ITEMS_MAX = 1_000

/**
 * Whether a guest sees a page that the connection sees, too: something the guest was given lies in what was shared with the connection,
 * or the other way round.
 */
export async function sharesPageWith({ db, actor }: Scope, guestId: string): Promise<boolean> {
  const { workspaceId } = actor
  const open = await listItemsOpenTo(db, workspaceId, guestId, ITEMS_MAX)
  if (open.length === 0) return false
  if ((await visibleAmong(db, actor, open)).size > 0) return true
  const granted = (await listGrants(db, workspaceId, actor.userId)).slice(0, ITEMS_MAX).map((grant) => grant.item_id)
  const guest: Seer = { workspaceId, userId: guestId, seesWholeWorkspace: false, memberLevel: defaultLevel('guest') }
  return [...(await memberLevels(db, guest, granted)).values()].some((level) => level !== 'none')
}
