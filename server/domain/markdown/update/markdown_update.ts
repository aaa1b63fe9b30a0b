import type { UpdatePageMarkdownRequest } from '../../../../generated/types.ts'
import { yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import { trashAfter } from '../../../store/block_trees.ts'
import { findBlock } from '../../../store/blocks.ts'
import { listContent } from '../../../store/placed_content.ts'
import { isStoredFile } from '../../file_uploads/stored.ts'
import { keepClosed } from '../../pages/closed.ts'
import { recordPagesTrashed } from '../../pages/erase.ts'
import { ReferenceList, requireReferences } from '../../references.ts'
import type { WriteScope } from '../../scope.ts'
import { applyPlan } from './apply_plan.ts'
import { planBlocks, type Planned } from './plan_blocks.ts'
import { editText, type Edit } from './edit_text.ts'
import { diffBlocks, newBlocksOf, type Difference } from '../diff/diff_blocks.ts'
import { Drafter } from '../parse/drafter.ts'
import { requireNoLoss, requireNoLossInRest } from './require_no_loss.ts'
import { gatherHostedFiles, withoutSignatures } from './gather_hosted_files.ts'
import { diffInsertion } from '../diff/diff_insertion.ts'
import { extentOf, loadPart, type LoadedNode } from '../write/load_tree.ts'
import { withBlockLimit } from '../parse/draft_markdown.ts'
import { assignOwners } from '../diff/assign_owners.ts'
import { parseBlocks, parsePart } from '../parse/parse_blocks.ts'
import { SegmentedText, type SegmentRange } from './segmented_text.ts'
import { renderBlock, renderNodes, type Rendering, type PageSegment } from '../write/render_block.ts'
import { resolveReferencesOf } from '../parse/resolve_references.ts'
import { BLOCKS_MAX } from '../shared/markdown_block.ts'

/** The effect of an edit on a part of a page. */
interface Change {
  readonly part: SegmentRange
  readonly difference: Difference
  readonly path: string
}

/**
 * Changes a page by one command on its Markdown. Only the part that the command touches is parsed, compared and rewritten, unless
 * something elsewhere may depend on that part; then the whole page is.
 */
export class MarkdownUpdate {
  readonly #scope: WriteScope
  readonly #present: Rendering
  readonly #page: SegmentedText
  /** Whether a part can be processed separately: no synced copy shows it, and the whole page was loaded. */
  readonly #canUpdatePart: boolean

  constructor(scope: WriteScope, present: Rendering) {
    this.#scope = scope
    this.#present = present
    const texts = present.segments.map(({ text }) => withoutSignatures(text, scope.baseUrl))
    this.#page = new SegmentedText(present.segments, texts)
    this.#canUpdatePart = present.tree.isWhole && present.tree.originals.size === 0
  }

  /** @returns the page after the change */
  async run(request: UpdatePageMarkdownRequest): Promise<Rendering> {
    const { tree } = this.#present
    const edit = await editText(this.#page.text, request, this.#scope)
    const isClear = edit.kind === 'text' && edit.text.trim() === ''
    if (edit.kind === 'text' && edit.text === this.#page.text && !(isClear && tree.hasMore)) return this.#present
    const { isAllowed, path } = permissionOf(request)
    const change = await this.#changeOf(edit)
    const loss = await requireNoLoss(this.#scope, tree, change.difference, isAllowed, path)
    const plan = await this.#planBlocks(change)
    await yieldToEventLoop()
    const before = this.#present.segments[change.part.start - 1]?.node
    const apply = async (): Promise<boolean> => {
      const isApplied = await applyPlan(this.#scope, tree, plan, loss.removed, before)
      return (isClear && (await this.#clearRest(isAllowed, path))) || isApplied
    }
    const takes = isClear || loss.removed.length > 0
    const hasChanged = takes ? await keepClosed(this.#scope, tree.root.block.id, apply) : await apply()
    if (!hasChanged) return this.#present
    const partly = loss.hasPages || this.#page.isWhole(change.part) ? undefined : await this.#shownAfter(change.part, plan.length)
    return partly ?? renderBlock(this.#scope, tree.root.block, false)
  }

  async #changeOf(edit: Edit): Promise<Change> {
    const part = this.#canUpdatePart ? this.#partOf(edit) : this.#page.whole
    const partly = this.#page.isWhole(part) ? undefined : await this.#changeIn(part, edit)
    const change = partly ?? (await this.#changeIn(this.#page.whole, edit))
    if (!change) throw new Error('a whole text is always parsed')
    return change
  }

  #partOf(edit: Edit): SegmentRange {
    if (edit.kind === 'text') return this.#page.changedIn(edit.text)
    const { end: count } = this.#page.whole
    if (edit.place === 'start') return this.#page.around({ start: 0, end: 0 })
    if (edit.place === 'end') return this.#page.around({ start: count, end: count })
    const segment = this.#page.segmentAt(edit.place.after)
    return this.#page.around({ start: segment, end: segment + 1 })
  }

  /** @returns undefined when what is written in the part does not end there */
  async #changeIn(part: SegmentRange, edit: Edit): Promise<Change | undefined> {
    const { segments } = this.#present
    const isWhole = this.#page.isWhole(part)
    const old = parseBlocks(this.#page.textOf(part), Infinity)
    await yieldToEventLoop()
    const inside = segments.slice(part.start, part.end)
    const lines = inside.flatMap((segment) => segment.owners)
    const owners = assignOwners(old, lines)
    const blocksMax = edit.kind === 'text' ? this.#blocksMax(isWhole ? [] : inside) : BLOCKS_MAX
    const written = edit.kind === 'text' ? this.#page.textIn(edit.text, part) : edit.content
    const { blocks, isClosed } = withBlockLimit(blocksMax, edit.path, () => parsePart(written, blocksMax))
    if (!isWhole && !isClosed && edit.kind === 'text') return undefined
    await yieldToEventLoop()
    const difference =
      edit.kind === 'text' ? diffBlocks(old, owners, blocks) : diffInsertion(old, owners, blocks, this.#placeOf(edit))
    await yieldToEventLoop()
    return { part, difference, path: edit.path }
  }

  /** Most blocks allowed in a part, or in the whole page: one for each current line, plus the limit of one text. */
  #blocksMax(inside: readonly PageSegment[]): number {
    const lines = this.#present.segments.reduce((sum, { owners }) => sum + owners.length, 0)
    if (inside.length === 0) return lines + BLOCKS_MAX
    const { blocks } = extentOf(inside.map(({ node }) => node))
    return lines + BLOCKS_MAX - (this.#present.tree.extent.blocks - blocks)
  }

  #placeOf({ place }: Extract<Edit, { kind: 'insertion' }>): 'start' | 'end' | LoadedNode {
    if (typeof place === 'string') return place
    const index = this.#page.segmentAt(place.after)
    const start = this.#page.textOf({ start: 0, end: index }).length
    const line = this.#page.text.slice(index === 0 ? 0 : start + 1, place.after).split('\n').length - 1
    return this.#present.segments[index]?.owners[line] ?? 'end'
  }

  async #planBlocks({ difference, path }: Change): Promise<Planned[]> {
    const references = new ReferenceList()
    for (const id of filesOf(this.#present.tree.root)) references.presentFiles.add(id)
    const resolved = await resolveReferencesOf(this.#scope, newBlocksOf(difference.wanted))
    const { baseUrl } = this.#scope
    const drafter = new Drafter(resolved, { references, baseUrl }, path, gatherHostedFiles(this.#present.shown, baseUrl))
    const plan = planBlocks(difference.wanted, drafter)
    await requireReferences(this.#scope, references)
    return plan
  }

  /** The page after a change of a part, without reloading the rest; undefined if the rest has to be reloaded. */
  async #shownAfter({ start, end }: SegmentRange, count: number): Promise<Rendering | undefined> {
    const { tree, segments } = this.#present
    const { db, actor } = this.#scope
    const root = tree.root.block
    const [before, next] = [segments[start - 1]?.node.block, segments[end]?.node.block]
    // Ranks may have changed by now.
    const rank = before && (await findBlock(db, actor.workspaceId, before.id))?.rank
    const found = await listContent(db, actor.workspaceId, root.id, rank, count + 1)
    if (found.length < count || found[count]?.id !== next?.id) return undefined
    const inside = extentOf(segments.slice(start, end).map(({ node }) => node))
    const others = { blocks: tree.extent.blocks - inside.blocks, size: tree.extent.size - inside.size }
    const part = await loadPart(this.#scope, root, found.slice(0, count), others)
    if (!part.isWhole || part.originals.size > 0) return undefined
    const shown = await renderNodes(this.#scope, part, part.root.children)
    return { ...shown, segments: [...segments.slice(0, start), ...shown.segments, ...segments.slice(end)] }
  }

  /** Clearing a page also removes the blocks that were too many to load. */
  async #clearRest(isAllowed: boolean, path: string): Promise<boolean> {
    const { root, hasMore } = this.#present.tree
    if (!hasMore) return false
    await requireNoLossInRest(this.#scope, root.block.id, isAllowed, path)
    const { db, actor, now } = this.#scope
    const rank = root.children.at(-1)?.block.rank ?? ''
    await recordPagesTrashed(this.#scope, root.block.id, rank)
    await trashAfter(db, actor, root.block.id, rank, now)
    return true
  }
}

/** Files that media blocks at or below a node show. */
function* filesOf({ block: { content }, children }: LoadedNode): Generator<string> {
  if (isStoredFile(content)) yield content.file.id
  for (const child of children) yield* filesOf(child)
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
