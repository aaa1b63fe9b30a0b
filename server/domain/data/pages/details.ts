import type { CreatePageRequest, UpdatePageRequest } from '../../../../generated/types.ts'
import type { Block } from '../../../store/blocks.ts'
import type { PageDetails } from '../../../store/page_details.ts'
import { findPage } from '../../../store/pages.ts'
import { storeCover, storeIcon, type ReferenceList } from '../../content/index.ts'
import type { Scope } from '../../shared/index.ts'
import { reportDamage } from '../../../store/stored/damage.ts'

/** The details of a page without an icon or a cover, neither locked nor archived. */
export const PLAIN_PAGE: PageDetails = { icon: null, cover: null, isLocked: false, isArchived: false }

/** The details of a page. They are stored apart from its block. */
export async function pageOf(scope: Scope, block: Block): Promise<PageDetails> {
  const page = await findPage(scope.db, scope.actor.workspaceId, block.id)
  if (!page) reportDamage({ place: 'pages', id: block.id, expected: 'a row with this id' })
  return page ?? PLAIN_PAGE
}

/** The details of a page after a request. Omitted members stay. */
export function detailsAfter(
  scope: Scope,
  request: CreatePageRequest | UpdatePageRequest,
  references: ReferenceList,
  page: PageDetails,
): PageDetails {
  const { icon, cover } = request
  return {
    icon: icon === undefined ? page.icon : icon === null ? null : storeIcon(icon, 'body.icon', references, scope),
    cover: cover === undefined ? page.cover : cover === null ? null : storeCover(cover, 'body.cover', references),
    isLocked: ('is_locked' in request ? request.is_locked : undefined) ?? page.isLocked,
    isArchived: ('is_archived' in request ? request.is_archived : undefined) ?? page.isArchived,
  }
}
