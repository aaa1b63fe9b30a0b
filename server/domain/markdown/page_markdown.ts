import type { PageMarkdown, UpdatePageMarkdownRequest } from '../../../generated/types.ts'
import { trashBehind } from '../../store/block_trees.ts'
import type { Block } from '../../store/blocks.ts'
import { requireLiveAncestors, requireMayEdit, requireNotTrashed, requireVisible } from '../blocks/access.ts'
import { invalid } from '../failures.ts'
import { isStoredFile } from '../file_uploads/stored.ts'
import { requirePage } from '../pages/access.ts'
import { ReferenceList, requireReferences } from '../references.ts'
import type { Scope, WriteScope } from '../scope.ts'
import { applyPlan, planOf } from './apply.ts'
import { editOf, withoutSignatures, type Edit } from './commands.ts'
import { differenceOf, newBlocksOf, type Difference } from './diff.ts'
import { Drafter } from './drafts.ts'
import { requireNoLoss, requireNothingBehind } from './guard.ts'
import { hostedFilesOf } from './hosted.ts'
import { insertionOf } from './insertion.ts'
import type { LoadedNode } from './load.ts'
import { readLimited } from './page_content.ts'
import { readBlocks } from './parser.ts'
import { pageMarkdown, renderBlock, type Rendering } from './render.ts'
import { resolveBlocks } from './resolve.ts'
import { BLOCKS_MAX, type MarkdownBlock } from './tree.ts'

/** The content of a page, or a block with what is below it, as Markdown. */
export async function retrievePageMarkdown(scope: Scope, id: string, includeTranscripts: boolean): Promise<PageMarkdown> {
  const block = await requireVisible(scope, id, 'page')
  if (block.type === 'child_database')
    throw invalid('path.page_id', 'should be the id of a page or a block, instead was the id of a database')
  return pageMarkdown(await renderBlock(scope, block, includeTranscripts))
}

/** The page that an update names, when it may be changed. */
export async function requireMarkdownPage(scope: WriteScope, id: string): Promise<Block> {
  const page = await requirePage(scope, id, 'path.page_id')
  await requireMayEdit(scope, page, 'page')
  requireNotTrashed(page, 'path.page_id')
  await requireLiveAncestors(scope, page, 'path.page_id')
  return page
}

/**
 * Changes the content of a page by one command on its Markdown: all of it or, when anything is wrong, nothing. Blocks whose Markdown
 * stays keep their ids.
 */
export async function updatePageMarkdown(
  scope: WriteScope,
  id: string,
  request: UpdatePageMarkdownRequest,
): Promise<PageMarkdown> {
  const page = await requireMarkdownPage(scope, id)
  const present = await renderBlock(scope, page, false)
  const hasChanged = await new Update(scope, present).run(request)
  return answerOf(scope, hasChanged ? await renderBlock(scope, page, false) : present)
}

/** Who may write but not read learns that it was done. */
function answerOf(scope: Scope, rendering: Rendering): PageMarkdown {
  if (scope.actor.capabilities.has('read_content')) return pageMarkdown(rendering)
  return { object: 'page_markdown', id: rendering.tree.root.block.id, markdown: '', truncated: true, unknown_block_ids: [] }
}

class Update {
  readonly #scope: WriteScope
  readonly #present: Rendering
  readonly #text: string
  readonly #old: readonly MarkdownBlock[]
  readonly #owners: ReadonlyMap<MarkdownBlock, LoadedNode>

  constructor(scope: WriteScope, present: Rendering) {
    this.#scope = scope
    this.#present = present
    this.#text = withoutSignatures(present.text, scope.baseUrl)
    this.#old = readBlocks(this.#text, Infinity)
    this.#owners = ownersOf(this.#old, present.owners)
  }

  /** @returns whether anything has changed */
  async run(request: UpdatePageMarkdownRequest): Promise<boolean> {
    const edit = editOf(this.#text, request, this.#scope.baseUrl)
    const isClear = edit.kind === 'text' && edit.text.trim() === ''
    if (edit.kind === 'text' && edit.text === this.#text && !(isClear && this.#present.tree.hasMore)) return false
    const { isAllowed, path } = permissionOf(request)
    const difference = this.#difference(edit)
    await requireNoLoss(this.#scope, this.#present.tree, difference, isAllowed, path)
    const hasChanged = await this.#apply(difference, edit.path)
    return (isClear && (await this.#clearRest(isAllowed, path))) || hasChanged
  }

  #difference(edit: Edit): Difference {
    if (edit.kind === 'text') {
      return differenceOf(this.#old, this.#owners, readLimited(edit.text, this.#present.owners.length + BLOCKS_MAX, edit.path))
    }
    const { place } = edit
    const behind =
      typeof place === 'string' ? place : this.#present.owners[this.#text.slice(0, place.behind).split('\n').length - 1]
    return insertionOf(this.#old, this.#owners, readLimited(edit.content, BLOCKS_MAX, edit.path), behind ?? 'end')
  }

  async #apply(difference: Difference, path: string): Promise<boolean> {
    const references = new ReferenceList()
    for (const id of filesOf(this.#present.tree.root)) references.presentFiles.add(id)
    const resolved = await resolveBlocks(this.#scope, newBlocksOf(difference.wanted))
    const { baseUrl } = this.#scope
    const drafter = new Drafter(resolved, { references, baseUrl }, path, hostedFilesOf(this.#owners, baseUrl))
    const plan = planOf(difference.wanted, drafter)
    await requireReferences(this.#scope, references)
    return applyPlan(this.#scope, this.#present.tree, plan, difference.removed)
  }

  /** Who clears a page means all of it, also what there was no room to show. */
  async #clearRest(isAllowed: boolean, path: string): Promise<boolean> {
    const { root, hasMore } = this.#present.tree
    if (!hasMore) return false
    await requireNothingBehind(this.#scope, root.block.id, isAllowed, path)
    const { db, actor, now } = this.#scope
    await trashBehind(db, actor.workspaceId, root.block.id, root.children.at(-1)?.block.rank ?? '', actor.userId, now)
    return true
  }
}

/** Files that media blocks at or below a node show. */
function* filesOf({ block: { content }, children }: LoadedNode): Generator<string> {
  if (isStoredFile(content)) yield content.file.id
  for (const child of children) yield* filesOf(child)
}

/** Which stored block each block of a text shows: the one whose line it begins on. */
function ownersOf(blocks: readonly MarkdownBlock[], lines: readonly (LoadedNode | undefined)[]): Map<MarkdownBlock, LoadedNode> {
  const owners = new Map<MarkdownBlock, LoadedNode>()
  const given = new Set<LoadedNode>()
  const visit = (block: MarkdownBlock): void => {
    const owner = lines[block.line]
    if (owner && !given.has(owner) && shownType(owner) === block.type) {
      given.add(owner)
      owners.set(block, owner)
    }
    block.children.forEach(visit)
  }
  blocks.forEach(visit)
  return owners
}

const FORMLESS: ReadonlySet<string> = new Set(['bookmark', 'embed', 'link_preview', 'breadcrumb', 'template', 'unsupported'])

/** What a stored block reads as. */
function shownType({ block: { type, content }, isMissing }: LoadedNode): string {
  if (isMissing || FORMLESS.has(type)) return 'unsupported'
  if (type !== 'link_to_page') return type
  return 'page_id' in content ? 'child_page' : 'database_id' in content ? 'child_database' : 'unsupported'
}

function permissionOf(request: UpdatePageMarkdownRequest): { readonly isAllowed: boolean; readonly path: string } {
  const path = `body.${request.type}.allow_deleting_content`
  switch (request.type) {
    case 'update_content':
      return { path, isAllowed: request.update_content.allow_deleting_content ?? false }
    case 'replace_content':
      return { path, isAllowed: request.replace_content.allow_deleting_content ?? false }
    case 'replace_content_range':
      return { path, isAllowed: request.replace_content_range.allow_deleting_content ?? false }
    case 'insert_content':
      return { path: 'body.insert_content', isAllowed: false }
  }
}
