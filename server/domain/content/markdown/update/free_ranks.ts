import { firstIndex } from '../../../../kernel/first_index.ts'
import { findBlocks } from '../../../../store/blocks.ts'
import { listTrashedRanks } from '../../../../store/block_trees.ts'
import { rankAfter } from '../../../../store/sibling_ranks.ts'
import { makeRoomAfter } from '../../blocks/room.ts'
import type { WriteScope } from '../../../shared/index.ts'
import type { LoadedNode } from '../write/load_tree.ts'

/** The maximum number of trashed siblings that are loaded at once. */
const TRASHED_MAX = 20_000
/** Up to this many gaps are queried individually. */
const FEW = 10

/** Allocates ranks between the children of a block. Children in the trash keep their ranks. */
export class FreeRanks {
  readonly #scope: WriteScope
  readonly #parent: LoadedNode
  /** The ranks of the children between which blocks may be inserted: of all children, or only of those needed. */
  #ranks: ReadonlyMap<string, string> = new Map()
  /** All taken ranks in order; undefined if there are too many. */
  #taken: readonly string[] | undefined

  private constructor(scope: WriteScope, parent: LoadedNode) {
    this.#scope = scope
    this.#parent = parent
  }

  /** @param anchors the children after which blocks will be inserted, in order; undefined for the start */
  static async of(scope: WriteScope, parent: LoadedNode, anchors: readonly (string | undefined)[]): Promise<FreeRanks> {
    const gaps = new FreeRanks(scope, parent)
    const wanted = anchors.length > FEW ? undefined : new Set(anchors)
    const known = parent.children.filter(({ block }) => !wanted || wanted.has(block.id))
    gaps.#ranks = new Map(known.map(({ block }) => [block.id, block.rank]))
    if (!wanted) await gaps.#readTaken()
    await gaps.#widen(anchors)
    return gaps
  }

  /** The rank of a child and the next taken rank. */
  async gapAfter(id: string | undefined): Promise<[from: string | null, to: string | null]> {
    const from = id === undefined ? null : (this.#ranks.get(id) ?? null)
    if (this.#taken) return [from, nextOf(this.#taken, from)]
    return [from, await rankAfter(this.#scope.db, this.#scope.actor.workspaceId, this.#parent.block.id, from ?? '')]
  }

  async #readTaken(): Promise<void> {
    const trashed = await listTrashedRanks(this.#scope.db, this.#scope.actor.workspaceId, this.#parent.block.id, TRASHED_MAX + 1)
    this.#taken =
      trashed.length > TRASHED_MAX
        ? undefined
        : [...this.#ranks.values(), ...trashed].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  }

  /** Widens gaps that many insertions have made too narrow, before anything is inserted. */
  async #widen(anchors: readonly (string | undefined)[]): Promise<void> {
    for (const id of anchors) {
      const [from, to] = await this.gapAfter(id)
      if (from === null || !(await makeRoomAfter(this.#scope, this.#parent.block.id, from, to))) continue
      const ids = this.#parent.children.map(({ block }) => block.id)
      const now = await findBlocks(this.#scope.db, this.#scope.actor.workspaceId, ids)
      this.#ranks = new Map([...now].map(([known, { rank }]) => [known, rank]))
      await this.#readTaken()
    }
  }
}

function nextOf(sorted: readonly string[], rank: string | null): string | null {
  return sorted[rank === null ? 0 : firstIndex(sorted.length, (index) => (sorted[index] ?? '') > rank)] ?? null
}
