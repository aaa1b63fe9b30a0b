import { isBelowTrash, memberLevels } from '../../../store/access.ts'
import {
  findVisibleBlock,
  findVisibleToEdit,
  findVisibleToRead,
  type Block,
  type BlockToEdit,
  type BlockToRead,
} from '../../../store/blocks.ts'
import { stateError } from '../../../kernel/errors.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { notFound, readOnly, type RecordKind, type Scope, type WriteScope } from '../../shared/index.ts'

/**
 * The block, page or database in a path.
 * @throws ServiceError `object_not_found` whether it is missing or not shared
 */
export function requireVisible(scope: Scope, writtenId: string, kind: RecordKind = 'block'): Promise<Block> {
  return required(scope, findVisibleBlock, writtenId, kind)
}

/** Like `requireVisible`, for a response that says whether the block is in the trash. */
export function requireVisibleToRead(scope: Scope, writtenId: string): Promise<BlockToRead> {
  return required(scope, findVisibleToRead, writtenId, 'block')
}

/** Like `requireVisible`, for a block that is about to be changed: the data that the change depends on is read with it. */
export function requireVisibleToEdit(scope: WriteScope, writtenId: string, kind: RecordKind = 'block'): Promise<BlockToEdit> {
  return required(scope, findVisibleToEdit, writtenId, kind)
}

async function required<Found extends Block>(
  scope: Scope,
  find: (db: Scope['db'], viewer: Scope['actor'], id: string) => Promise<Found | undefined>,
  writtenId: string,
  kind: RecordKind,
): Promise<Found> {
  const id = canonicalId(writtenId)
  return requireFound(scope, await find(scope.db, scope.actor, id), id, kind)
}

/** Returns the result of reading an id, or throws as `requireVisible` does. */
export function requireFound<Found extends Block>(
  { actor }: Scope,
  block: Found | undefined,
  id: string,
  kind: RecordKind,
): Found {
  if (!block || !isOfKind(block, kind)) throw notFound(actor, kind, id)
  return block
}

/**
 * Whether a block is of the kind in the request. Data sources are in the tree of blocks but are not blocks. An id of a database is not
 * accepted for a data source, nor the reverse.
 */
function isOfKind({ type }: Block, kind: RecordKind): boolean {
  if (kind === 'data source' || type === 'data_source') return kind === 'data source' && type === 'data_source'
  return kind !== 'database' || type === 'child_database'
}

/**
 * Checks that the caller may edit an item. Members need edit permission for it. Bots may edit what they see, within their capabilities.
 * @throws ServiceError `restricted_resource` for a member with read permission only
 */
export async function requireMayEdit(scope: Scope, block: Block, kind: RecordKind = 'block'): Promise<void> {
  if (scope.actor.memberLevel === undefined) return
  const level = (await memberLevels(scope.db, scope.actor, [block.id])).get(block.id) ?? 'none'
  if (level === 'none' || level === 'read') throw readOnly(kind, block.id)
}

/** @throws ServiceError `validation_error` if an ancestor is in the trash: nothing below it can change until it is restored */
export async function requireLiveAncestors(scope: Scope, block: Block | BlockToEdit, path: string): Promise<void> {
  const isBelow = 'isBelowTrash' in block ? block.isBelowTrash : await isBelowTrash(scope.db, scope.actor.workspaceId, block.id)
  if (isBelow) throw stateError(`${path} cannot be edited: a record above it is in the trash. Restore that record first.`)
}

export function requireNotTrashed({ type, inTrash }: Block, path: string): void {
  const kind = type === 'child_page' ? 'page' : 'block'
  if (inTrash) throw stateError(`${path} cannot be edited: the ${kind} is in the trash. Restore it first.`)
}

/**
 * Checks that the caller may edit a record or its content, and that neither it nor any ancestor is in the trash.
 * @param path the path of its id in the request
 */
export async function requireOpen(scope: Scope, block: Block | BlockToEdit, kind: RecordKind, path: string): Promise<void> {
  await requireMayEdit(scope, block, kind)
  requireNotTrashed(block, path)
  await requireLiveAncestors(scope, block, path)
}

/** Checks the edit of a record that may be in the trash: from there it can only be restored, or left where it is. */
export async function requireEditable(
  scope: Scope,
  block: Block,
  kind: 'page' | 'database' | 'data source',
  request: { readonly in_trash?: boolean },
): Promise<void> {
  const { length } = Object.keys(request)
  if (length === 0) return
  const path = `path.${kind.replace(' ', '_')}_id`
  const onlyTrashes = request.in_trash === true && length === 1
  if (block.inTrash && request.in_trash !== false && !onlyTrashes)
    throw stateError(`${path} cannot be edited: the ${kind} is in the trash. Restore it with \`in_trash\` false.`)
  await requireLiveAncestors(scope, block, path)
}

/** The ids whose edit time changes when a block is edited: the block's own and its page's. */
export function editedIds(block: Block): string[] {
  return block.pageId === null || block.type === 'child_page' ? [block.id] : [block.id, block.pageId]
}
