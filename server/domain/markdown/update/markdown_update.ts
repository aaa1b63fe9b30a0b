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
import { diffBlocks, newBlocksOf, type Difference, type WantedBlock } from '../diff/diff_blocks.ts'
import { Drafter } from '../parse/drafter.ts'
import { requireNoLoss, requireNoLossInRest } from './require_no_loss.ts'
import { gatherHostedFiles, withoutSignatures } from './gather_hosted_files.ts'
import { diffInsertion } from '../diff/diff_insertion.ts'
import { extentOf, loadPart, type Extent, type LoadedNode } from '../write/load_tree.ts'
import { parseChange } from './parse_change.ts'
import { SegmentedText, type ChangedPart, type SegmentRange } from './segmented_text.ts'
import { renderBlock, renderNodes, type Rendering, type PageSegment } from '../write/render_block.ts'
import { resolveReferencesOf } from '../parse/resolve_references.ts'
import { BLOCKS_MAX, type MarkdownBlock } from '../shared/markdown_block.ts'

/** The effect of an edit on parts of a page, in their order. What is between them stays. */
interface Change {
  readonly parts: readonly WantedPart[]
  readonly difference: Difference
  readonly path: string
}

interface WantedPart extends SegmentRange {
  readonly wanted: readonly WantedBlock[]
}

interface PlannedPart extends SegmentRange {
  readonly plan: readonly Planned[]
}

/** Most parts that are reloaded one by one after a change, in place of the whole page. */
const RELOADED_MAX = 20

/**
 * Changes a page by one command on its Markdown. Only the parts that the command touches are parsed, compared and rewritten, unless
 * something elsewhere may depend on them; then the whole page is.
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
    const parts = await this.#planParts(change)
    await yieldToEventLoop()
    const before = this.#present.segments[(parts[0]?.start ?? 0) - 1]?.node
    const apply = async (): Promise<boolean> => {
      const isApplied = await applyPlan(this.#scope, tree, this.#planOf(parts), loss.removed, before)
      return (isClear && (await this.#clearRest(isAllowed, path))) || isApplied
    }
    const takes = isClear || loss.removed.length > 0
    const hasChanged = takes ? await keepClosed(this.#scope, tree.root.block.id, apply) : await apply()
    if (!hasChanged) return this.#present
    const partly = loss.hasPages || this.#isWhole(parts) ? undefined : await this.#shownAfter(parts)
    return partly ?? renderBlock(this.#scope, tree.root.block, false)
  }

  async #changeOf(edit: Edit): Promise<Change> {
    const whole = [{ ...this.#page.whole, text: edit.text }]
    const parts = this.#canUpdatePart ? this.#partsOf(edit) : whole
    const partly = this.#isWhole(parts) ? undefined : await this.#changeIn(parts, edit)
    const change = partly ?? (await this.#changeIn(whole, edit))
    if (!change) throw new Error('a whole text is always parsed')
    return change
  }

  #isWhole(parts: readonly SegmentRange[]): boolean {
    return parts.some((part) => this.#page.isWhole(part))
  }

  #partsOf(edit: Edit): ChangedPart[] {
    if (edit.kind === 'text') return this.#page.changedIn(edit.text)
    const { text, place } = edit
    const { end: count } = this.#page.whole
    if (place === 'start') return [{ ...this.#page.around({ start: 0, end: 0 }), text }]
    if (place === 'end') return [{ ...this.#page.around({ start: count, end: count }), text }]
    const segment = this.#page.segmentAt(place.after)
    return [{ ...this.#page.around({ start: segment, end: segment + 1 }), text }]
  }

  /** @returns undefined when what is written in a part does not end there */
  async #changeIn(parts: readonly ChangedPart[], edit: Edit): Promise<Change | undefined> {
    const isWhole = this.#isWhole(parts)
    const current = parts.map(({ start, end, text }) => {
      const inside = this.#present.segments.slice(start, end)
      return { text: this.#page.textOf({ start, end }), inside, written: text }
    })
    const inside = isWhole ? [] : current.flatMap((part) => part.inside)
    const blocksMax = edit.kind === 'text' ? this.#blocksMax(inside) : BLOCKS_MAX
    const { old, owners, fresh, isClosed } = await parseChange(current, blocksMax, edit.path)
    if (!isWhole && !isClosed && edit.kind === 'text') return undefined
    const difference =
      edit.kind === 'text' ? diffBlocks(old, owners, fresh.flat()) : diffInsertion(old, owners, fresh.flat(), this.#placeOf(edit))
    await yieldToEventLoop()
    return { parts: wantedIn(parts, difference, fresh), difference, path: edit.path }
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

  async #planParts({ parts, difference, path }: Change): Promise<PlannedPart[]> {
    const references = new ReferenceList()
    for (const id of filesOf(this.#present.tree.root)) references.presentFiles.add(id)
    const resolved = await resolveReferencesOf(this.#scope, newBlocksOf(difference.wanted))
    const { baseUrl } = this.#scope
    const drafter = new Drafter(resolved, { references, baseUrl }, path, gatherHostedFiles(this.#present.shown, baseUrl))
    const planned = parts.map(({ start, end, wanted }) => ({ start, end, plan: planBlocks(wanted, drafter) }))
    await requireReferences(this.#scope, references)
    return planned
  }

  /** The plan from the first part to the last, with the blocks between them. */
  #planOf(parts: readonly PlannedPart[]): Planned[] {
    return parts.flatMap(({ start, plan }, index) => {
      const between = this.#present.segments.slice(parts[index - 1]?.end ?? start, start)
      return [...between.map(({ node, block }): Planned => ({ block, kept: node, children: undefined })), ...plan]
    })
  }

  /** The page after a change of some parts, without reloading the rest; undefined if the rest has to be reloaded. */
  async #shownAfter(parts: readonly PlannedPart[]): Promise<Rendering | undefined> {
    if (parts.length > RELOADED_MAX) return undefined
    const { tree, segments } = this.#present
    const inside = extentOf(parts.flatMap(({ start, end }) => segments.slice(start, end).map(({ node }) => node)))
    let others = { blocks: tree.extent.blocks - inside.blocks, size: tree.extent.size - inside.size }
    let [rendering, end]: [Rendering, number] = [{ ...this.#present, segments: [] }, 0]
    for (const part of parts) {
      const shown = await this.#reloaded(part, others)
      if (!shown) return undefined
      const { extent } = shown.tree
      others = { blocks: others.blocks + extent.blocks, size: others.size + extent.size }
      rendering = { ...shown, segments: [...rendering.segments, ...segments.slice(end, part.start), ...shown.segments] }
      end = part.end
    }
    return { ...rendering, segments: [...rendering.segments, ...segments.slice(end)] }
  }

  async #reloaded({ start, end, plan: { length: count } }: PlannedPart, others: Extent): Promise<Rendering | undefined> {
    const { db, actor } = this.#scope
    const root = this.#present.tree.root.block
    const [before, next] = [start - 1, end].map((index) => this.#present.segments[index]?.node.block)
    // Ranks may have changed by now.
    const rank = before && (await findBlock(db, actor.workspaceId, before.id))?.rank
    const found = await listContent(db, actor.workspaceId, root.id, rank, count + 1)
    if (found.length < count || found[count]?.id !== next?.id) return undefined
    const part = await loadPart(this.#scope, root, found.slice(0, count), others)
    if (!part.isWhole || part.originals.size > 0) return undefined
    return renderNodes(this.#scope, part, part.root.children)
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

/** What is wanted of a page, by the parts that its blocks were parsed from. */
function wantedIn(
  parts: readonly SegmentRange[],
  { wanted }: Difference,
  fresh: readonly (readonly MarkdownBlock[])[],
): WantedPart[] {
  const [only] = parts
  // What is inserted stands among the blocks of its part.
  if (only && parts.length === 1) return [{ start: only.start, end: only.end, wanted }]
  const partOf = new Map(fresh.flatMap((blocks, part) => blocks.map((block) => [block, part] as const)))
  const byPart = Map.groupBy(wanted, ({ block }) => partOf.get(block))
  return parts.map(({ start, end }, part) => ({ start, end, wanted: byPart.get(part) ?? [] }))
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
