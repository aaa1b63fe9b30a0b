import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import type { LoadedNode, LoadedTree } from '../write/load_tree.ts'

/** Whether a page still has the same blocks as when it was loaded before, in the same places and with the same content. */
export function* isSameTree(before: LoadedTree, now: LoadedTree): SlicedWork<boolean> {
  if (before.hasMore !== now.hasMore || before.isWhole !== now.isWhole || before.originals.size !== now.originals.size)
    return false
  return yield* areSame(before.root.children, now.root.children)
}

function* areSame(before: readonly LoadedNode[], now: readonly LoadedNode[]): SlicedWork<boolean> {
  if (before.length !== now.length) return false
  for (const [index, node] of before.entries()) {
    yield
    const other = now[index]
    if (!other || !isSame(node, other) || !(yield* areSame(node.children, other.children))) return false
  }
  return true
}

function isSame({ block: one, isMissing }: LoadedNode, { block: other, isMissing: isOtherMissing }: LoadedNode): boolean {
  return (
    one.id === other.id &&
    one.rank === other.rank &&
    one.parentId === other.parentId &&
    one.type === other.type &&
    one.hasChildren === other.hasChildren &&
    isMissing === isOtherMissing &&
    // Unchanged content keeps its identity when it is loaded again. Equal content has its keys in the same order.
    (one.content === other.content || JSON.stringify(one.content) === JSON.stringify(other.content))
  )
}
