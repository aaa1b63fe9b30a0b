import { isSameJson } from '../../../kernel/canonical_json.ts'
import type { PageObject, PartialPage, UpdatePageRequest } from '../../../../generated/types.ts'
import { touch, updateContent, type Block, type StoredContent } from '../../../store/blocks.ts'
import type { PageDetails } from '../../../store/page_details.ts'
import { updatePageDetails } from '../../../store/pages.ts'
import {
  requireEditable,
  requireMayEdit,
  moveToTrash,
  ReferenceList,
  requireReferences,
  requirePage,
  erasePage,
} from '../../content/index.ts'
import { dataSourceOfRow, hasColumns } from '../data_sources/load.ts'
import { recordEvent } from '../../events/index.ts'
import { parseRowUpdate } from '../rows/update.ts'
import type { WriteScope } from '../../shared/index.ts'
import { detailsAfter, pageOf } from './details.ts'
import { retrievePage, type Filter } from './pages.ts'
import { writtenTitle } from './written_title.ts'
import { chosenTemplate, fillLater, namedTemplate, requireUsable } from './templates.ts'

/**
 * Applies a request in the order of the contract: restore, erase, properties and details, template, lock and archive, trash. The
 * template is applied after the response.
 */
export async function updatePage(
  scope: WriteScope,
  id: string,
  request: UpdatePageRequest,
  filter: Filter,
): Promise<PageObject | PartialPage> {
  const block = await requirePage(scope, id, 'path.page_id')
  const references = new ReferenceList()
  const row = hasColumns(block) ? await parseRowUpdate(scope, block, request.properties, references) : undefined
  const title = row ? undefined : writtenTitle(request.properties, references)
  const source = hasColumns(block) ? await dataSourceOfRow(scope, block) : undefined
  const template = chosenTemplate(scope, await namedTemplate(scope, request.template, source), references)
  const page = await pageOf(scope, block)
  const details = detailsAfter(scope, request, references, page)
  await requireReferences(scope, references)
  await requireMayEdit(scope, block, 'page')
  await requireEditable(scope, block, 'page', request)
  if (template) await requireUsable(scope, template)

  const { workspaceId, userId } = scope.actor
  const erased = request.erase_content === true && (await erasePage(scope, block.id))
  const content = title === undefined ? block.content : { ...block.content, title }
  const changed = await writeChanges(scope, block, content, page, details)
  const rowChanged = row !== undefined && (await row.keep())
  if (erased || changed || rowChanged) await touch(scope.db, workspaceId, [block.id], userId, scope.now)
  if (request.in_trash !== undefined && request.in_trash !== block.inTrash) await moveToTrash(scope, block, request.in_trash)
  if (template) await fillLater(scope, block.id, template, request)
  return retrievePage(scope, id, filter)
}

/**
 * Writes and records new values, except those of rows.
 * @returns whether any has changed
 */
async function writeChanges(
  scope: WriteScope,
  { id, content: stored }: Block,
  content: StoredContent,
  before: PageDetails,
  after: PageDetails,
): Promise<boolean> {
  const { db, actor } = scope
  const differs = (one: unknown, other: unknown): boolean => !isSameJson(one, other)
  const [contentChanged, detailsChanged] = [differs(content, stored), differs(after, before)]
  if (contentChanged) await updateContent(db, actor.workspaceId, id, content)
  if (detailsChanged) await updatePageDetails(db, actor.workspaceId, id, after)
  const isEdited = contentChanged || differs([before.icon, before.cover], [after.icon, after.cover])
  const edits = isEdited ? [{ type: 'page.properties_updated', id, properties: contentChanged ? ['title'] : [] } as const] : []
  const locks =
    before.isLocked === after.isLocked ? [] : [{ type: after.isLocked ? 'page.locked' : 'page.unlocked', id } as const]
  await recordEvent(scope, edits, locks)
  return contentChanged || detailsChanged
}
