import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { existingEmojis } from '../../store/custom_emojis.ts'
import { visibleAmong } from '../../store/access.ts'
import { findBlockTypes } from '../../store/block_types.ts'
import { findCommentParents } from '../../store/comments.ts'
import { invalid, notFound, OutdatedError, type RecordKind, type WriteScope } from '../shared/index.ts'
import { attachUploads, type WantedUpload, type FileUse } from '../files/index.ts'
import { knownUsers } from '../people/index.ts'

/** A record that a request refers to besides its target, with the path of the reference. */
export interface Reference {
  readonly kind: Extract<RecordKind, 'page' | 'database' | 'block' | 'user' | 'comment' | 'custom emoji'>
  readonly id: string
  readonly path: string
}

/** Collects references while a request is parsed, in the order of the document. */
export class ReferenceList {
  readonly entries: Reference[] = []
  readonly uploads: WantedUpload[] = []
  /** Files that the changed record already contains. Anyone who may change the record may keep them, no matter who uploaded them. */
  readonly presentFiles = new Set<string>()
  /** Blocks that must be originals, because a mirror refers to them. */
  readonly originals: { readonly id: string; readonly path: string }[] = []

  /** @returns the id in stored form */
  add(kind: Reference['kind'], id: string, path: string): string {
    const canonical = canonicalId(id)
    this.entries.push({ kind, id: canonical, path })
    return canonical
  }

  /** An upload to attach. @returns its id in stored form */
  addUpload(id: string, path: string, use: FileUse): string {
    const canonical = canonicalId(id)
    this.uploads.push({ id: canonical, path, use, isPresent: this.presentFiles.has(canonical) })
    return canonical
  }

  addOriginal(id: string, path: string): string {
    const canonical = this.add('block', id, path)
    this.originals.push({ id: canonical, path })
    return canonical
  }
}

const BLOCK_TYPE_OF = { page: 'child_page', database: 'child_database' } as const

/**
 * Checks that all references of a request exist and are visible to the caller.
 * @throws ServiceError `object_not_found` for the first reference for which that is not true; `validation_error` for a block or database
 * where a page is required
 */
export async function requireReferences(scope: WriteScope, references: ReferenceList): Promise<void> {
  await requireRecords(scope, references)
  await attachUploads(scope, references.uploads)
}

/**
 * Checks references that were found before the transaction.
 * @throws OutdatedError if one of them was deleted
 */
export async function requireStillThere(scope: WriteScope, references: ReferenceList): Promise<void> {
  try {
    await requireRecords(scope, references)
  } catch (error) {
    throw error instanceof ServiceError ? new OutdatedError() : error
  }
}

async function requireRecords(scope: WriteScope, references: ReferenceList): Promise<void> {
  if (references.entries.length === 0) return
  const idsOf = (...kinds: Reference['kind'][]): string[] => [
    ...new Set(references.entries.filter((entry) => kinds.includes(entry.kind)).map((entry) => entry.id)),
  ]

  const commented = await findCommentParents(scope.db, scope.actor.workspaceId, idsOf('comment'))
  const inTree = [...idsOf('page', 'database', 'block'), ...commented.values()]
  const [types, visible, users, emojis] = [
    await findBlockTypes(scope.db, scope.actor.workspaceId, inTree),
    await visibleAmong(scope.db, scope.actor, inTree),
    await knownUsers(scope, idsOf('user')),
    await existingEmojis(scope.db, scope.actor.workspaceId, idsOf('custom emoji')),
  ]
  for (const { kind, id, path } of references.entries) {
    const found =
      kind === 'user'
        ? users.has(id)
        : kind === 'custom emoji'
          ? emojis.has(id)
          : kind === 'page' || kind === 'database' || kind === 'block'
            ? visible.has(id)
            : visible.has(commented.get(id) ?? '')
    const type = types.get(id)
    if (!found || type === 'data_source' || (kind === 'database' && type !== BLOCK_TYPE_OF.database))
      throw notFound(scope.actor, kind, id)
    if (kind === 'page' && type !== undefined && type !== BLOCK_TYPE_OF.page) {
      throw invalid(
        path,
        `should be the id of a page, instead was the id of a ${type === BLOCK_TYPE_OF.database ? 'database' : 'block'}`,
      )
    }
  }
}
