import { isObject } from '@workspace-service/server/kernel/is_object.ts'

const nodeKinds = ['page', 'database', 'data_source'] as const
export type NodeKind = (typeof nodeKinds)[number]

/** Blocks that are pages or databases. */
export const containedRecords: ReadonlySet<unknown> = new Set(['child_page', 'child_database'])

/** A page, database or data source of the source, and its parent in the clone. */
export interface TreeNode {
  readonly id: string
  readonly kind: NodeKind
  readonly createdTime: string
  /** The record that contains it in the clone; undefined at the top of the workspace. */
  parentId: string | undefined
}

type Values = Readonly<Record<string, unknown>>

/** The tree of the records that a token sees. */
export class RecordTree {
  readonly #nodes = new Map<string, TreeNode>()

  /** @param parentId the record that contains it; undefined if it is not in the source */
  add(record: Values, parentId: string | undefined): void {
    const kind = nodeKinds.find((one) => one === record['object'])
    const id = String(record['id'])
    if (kind) this.#nodes.set(id, { id, kind, createdTime: String(record['created_time']), parentId })
  }

  has(id: string): boolean {
    return this.#nodes.has(id)
  }

  get(id: string): TreeNode | undefined {
    return this.#nodes.get(id)
  }

  get size(): number {
    return this.#nodes.size
  }

  countOf(kind: NodeKind): number {
    return this.#nodes.values().reduce((count, node) => count + (node.kind === kind ? 1 : 0), 0)
  }

  /**
   * Parents before their children. Records whose parent is hidden from the token are at the top.
   * @param placesOn the pages and databases on a page, in order; rows are ordered by age
   */
  async *inOrder(placesOn: (pageId: string) => Promise<readonly string[]>): AsyncGenerator<TreeNode, void, undefined> {
    const below = this.#byParent()
    const waiting = (below.get(undefined) ?? []).toSorted(byAge)
    // The list grows while it is read.
    for (const node of waiting) {
      yield node
      const children = (below.get(node.id) ?? []).toSorted(byAge)
      const places = new Map<string, number>()
      if (node.kind === 'page' && children.length > 1)
        for (const [place, id] of (await placesOn(node.id)).entries()) places.set(id, place)
      const placeOf = ({ id }: TreeNode): number => places.get(id) ?? places.size
      for (const child of children.toSorted((one, other) => placeOf(one) - placeOf(other))) waiting.push(child)
    }
  }

  /**
   * Moves one record of each cycle to the top, so that no record is lost.
   * @returns the moved ones
   */
  cutRings(): readonly TreeNode[] {
    const cut: TreeNode[] = []
    const known = new Set<string>()
    for (const start of this.#nodes.values()) {
      const way = new Set<string>()
      let node: TreeNode | undefined = start
      for (; node && !known.has(node.id) && !way.has(node.id); node = this.#parentOf(node)) way.add(node.id)
      if (node && way.has(node.id)) {
        const freed = this.#movableOf(node)
        freed.parentId = undefined
        cut.push(freed)
      }
      for (const id of way) known.add(id)
    }
    return cut
  }

  /** The next record in a cycle that can be moved to the top: rows and data sources cannot. */
  #movableOf(start: TreeNode): TreeNode {
    let node = start
    do {
      const parent = this.#parentOf(node)
      if (!parent || (node.kind !== 'data_source' && parent.kind !== 'data_source')) return node
      node = parent
    } while (node !== start)
    return node
  }

  #parentOf({ parentId }: TreeNode): TreeNode | undefined {
    return parentId === undefined ? undefined : this.#nodes.get(parentId)
  }

  #byParent(): ReadonlyMap<string | undefined, TreeNode[]> {
    for (const node of this.#nodes.values())
      if (node.parentId !== undefined && !this.#nodes.has(node.parentId)) node.parentId = undefined
    return Map.groupBy(this.#nodes.values(), ({ parentId }) => parentId)
  }
}

function byAge(one: TreeNode, other: TreeNode): number {
  const [first, second] = [`${one.createdTime} ${one.id}`, `${other.createdTime} ${other.id}`]
  return first < second ? -1 : 1
}

/** The parent of a record; undefined for the workspace. */
export function parentOf({ parent }: Values): { readonly type: string; readonly id: string } | undefined {
  if (!isObject(parent)) return undefined
  const type = String(parent['type'])
  const id = parent[type]
  return typeof id === 'string' ? { type, id } : undefined
}
