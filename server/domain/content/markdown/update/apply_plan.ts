import { generateNKeysBetween } from 'fractional-indexing'
import { TimeSlice, yieldToEventLoop } from '../../../../kernel/yield_to_event_loop.ts'
import {
  insertBlocks,
  touch,
  updateContent,
  type NewBlock,
  type ParentType,
  type StoredContent,
} from '../../../../store/blocks.ts'
import { moveBlocks, trashBlocks, type NewPlace } from '../../../../store/block_trees.ts'
import { lastRank } from '../../../../store/sibling_ranks.ts'
import { newRow } from '../../blocks/plan.ts'
import { recordEvent, contentChange, trashing } from '../../../events/index.ts'
import type { WriteScope } from '../../../shared/index.ts'
import { FreeRanks } from './free_ranks.ts'
import type { LoadedNode, LoadedTree } from '../write/load_tree.ts'
import { longestGrowing } from '../diff/pair_sequences.ts'
import { renumbered, type Planned } from './plan_blocks.ts'

/**
 * Applies a plan to the stored content of a page: removes, inserts and moves blocks, and touches nothing else.
 * @param plan the target state of the blocks after `before`
 * @param before undefined for the start of the page
 * @returns whether anything has changed
 */
export async function applyPlan(
  scope: WriteScope,
  tree: LoadedTree,
  plan: readonly Planned[],
  removed: readonly LoadedNode[],
  before: LoadedNode | undefined,
): Promise<boolean> {
  const applier = new Applier(scope, tree)
  await applier.level(tree.root, plan, before)
  return applier.finish(removed)
}

class Applier {
  readonly #scope: WriteScope
  readonly #tree: LoadedTree
  readonly #rows: NewBlock[] = []
  /** New blocks that are not inside other new blocks. */
  readonly #outermost: NewBlock[] = []
  readonly #places: NewPlace[] = []
  readonly #contents: { readonly id: string; readonly content: StoredContent }[] = []
  /** Existing blocks whose place or content has changed. */
  readonly #changed: LoadedNode[] = []

  constructor(scope: WriteScope, tree: LoadedTree) {
    this.#scope = scope
    this.#tree = tree
  }

  async finish(removed: readonly LoadedNode[]): Promise<boolean> {
    const { db, actor, now } = this.#scope
    const { workspaceId, userId } = actor
    if (this.#rows.length + this.#places.length + this.#contents.length + removed.length === 0) return false
    const removedIds = removed.map(({ block }) => block.id)
    await trashBlocks(db, workspaceId, removedIds, userId, now)
    await insertBlocks(db, workspaceId, this.#rows)
    await moveBlocks(db, workspaceId, this.#places)
    const slice = new TimeSlice()
    for (const { id, content } of this.#contents) {
      await updateContent(db, workspaceId, id, content)
      if (slice.isOver) await slice.next()
    }
    await touch(db, workspaceId, [this.#tree.root.block.id], userId, now)
    await yieldToEventLoop()
    await this.#record(removed)
    return true
  }

  async #record(removed: readonly LoadedNode[]): Promise<void> {
    const { id } = this.#tree.root.block
    const page = { parentType: 'page_id', parentId: id, pageId: id } as const
    const gone = outermost(removed.map(({ block }) => block))
    await yieldToEventLoop()
    const changed = [...this.#outermost, ...this.#changed.map(({ block }) => block), ...gone]
    await recordEvent(
      this.#scope,
      contentChange(page, [...new Set(changed)]),
      gone.flatMap((block) => trashing({ ...page, ...block }, true).filter(({ type }) => type !== 'page.content_updated')),
    )
  }

  /** Applies one level. Blocks that are already in order stay in place; the others are inserted between them. */
  async level(parent: LoadedNode, planned: readonly Planned[], before?: LoadedNode): Promise<void> {
    const staying = keptInOrder(parent, planned)
    const runs = runsBetween(planned, staying, before)
    if (runs.length > 0) {
      const anchors = runs.map(({ after }) => after?.block.id)
      const gaps = await FreeRanks.of(this.#scope, parent, anchors)
      for (const { after, run, isLast } of runs) {
        const isEnd = isLast && this.#tree.hasMore && parent === this.#tree.root
        const [from, to] = isEnd
          ? [await lastRank(this.#scope.db, this.#scope.actor.workspaceId, parent.block.id), null]
          : await gaps.gapAfter(after?.block.id)
        const parentType = parent.block.type === 'child_page' ? 'page_id' : 'block_id'
        this.#outermost.push(...this.#place(parentType, parent.block.id, run, generateNKeysBetween(from, to, run.length)))
      }
    }
    this.#renumber(planned)
    await this.#below(planned)
  }

  /** Applies the levels below these blocks. Existing blocks may become children of new ones. */
  async #below(planned: readonly Planned[]): Promise<void> {
    for (const { kept, children } of planned) {
      if (kept && children) await this.level(kept, children)
      else if (!kept && children) await this.#below(children)
    }
  }

  /** Places a run of blocks at the given ranks. @returns the new blocks among them */
  #place(parentType: ParentType, parentId: string, run: readonly Planned[], ranks: readonly string[]): NewBlock[] {
    const made: NewBlock[] = []
    for (const [index, entry] of run.entries()) {
      const rank = ranks[index] ?? ''
      if (entry.kept) {
        this.#places.push({ id: entry.kept.block.id, parentType, parentId, rank })
        this.#changed.push(entry.kept)
      } else made.push(this.#make(entry, parentType, parentId, rank))
    }
    return made
  }

  #make(entry: Extract<Planned, { kept: undefined }>, parentType: ParentType, parentId: string, rank: string): NewBlock {
    const { id, type, content, children = [] } = entry
    const place = { parentType, parentId, pageId: this.#tree.root.block.id, after: null, before: null }
    const row = newRow(this.#scope, place, { id, type, content }, rank)
    this.#rows.push(row)
    this.#place('block_id', id, children, generateNKeysBetween(null, null, children.length))
    this.#renumber(children)
    return row
  }

  #renumber(planned: readonly Planned[]): void {
    for (const [index, { kept }] of planned.entries()) {
      const content = renumbered(planned, index)
      if (!kept || !content) continue
      this.#contents.push({ id: kept.block.id, content })
      this.#changed.push(kept)
    }
  }
}

function outermost<Placed extends { readonly id: string; readonly parentId: string }>(blocks: readonly Placed[]): Placed[] {
  const ids = new Set(blocks.map(({ id }) => id))
  return blocks.filter(({ parentId }) => !ids.has(parentId))
}

/** The indexes of blocks that stay in place: the longest subsequence that is already in order. */
function keptInOrder(parent: LoadedNode, planned: readonly Planned[]): Set<number> {
  const present = planned.flatMap(({ kept }, index) =>
    kept?.block.parentId === parent.block.id ? [{ rank: kept.block.rank, index }] : [],
  )
  const isInOrder = present.every(({ rank }, place) => place === 0 || (present[place - 1]?.rank ?? '') < rank)
  if (isInOrder) return new Set(present.map(({ index }) => index))
  const order = present.toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
  const places = new Map(order.map(({ index }, place) => [index, place]))
  return new Set(longestGrowing(present.map(({ index }) => [places.get(index) ?? 0, index])).map(([, index]) => index))
}

interface RunBetween {
  /** The preceding block that stays in place. */
  readonly after: LoadedNode | undefined
  readonly run: Planned[]
  readonly isLast: boolean
}

function runsBetween(planned: readonly Planned[], staying: ReadonlySet<number>, before: LoadedNode | undefined): RunBetween[] {
  const runs: RunBetween[] = []
  let [after, run]: [LoadedNode | undefined, Planned[]] = [before, []]
  for (const [index, entry] of planned.entries()) {
    if (!staying.has(index)) {
      run.push(entry)
      continue
    }
    if (run.length > 0) runs.push({ after, run, isLast: false })
    after = entry.kept
    run = []
  }
  return run.length > 0 ? [...runs, { after, run, isLast: true }] : runs
}
