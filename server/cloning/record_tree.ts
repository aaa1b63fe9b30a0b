import { isObject } from '../kernel/is_object.ts'

export type NodeKind = 'page' | 'database' | 'data_source'

/** A page, database or data source of the source, and where the clone puts it. */
export interface TreeNode {
  readonly id: string
  readonly kind: NodeKind
  readonly createdTime: string
  /** The record below which it is in the clone; undefined at the top of the workspace. */
  parentId: string | undefined
}

type Values = Readonly<Record<string, unknown>>

/** The records that a token sees, as far as they contain each other. */
export class RecordTree {
  readonly #nodes = new Map<string, TreeNode>()

  /** @param parentId the record that contains it; undefined if it is not in the source */
  add(record: Values, parentId: string | undefined): void {
    const kind = String(record['object']) as NodeKind
    this.#nodes.set(String(record['id']), {
      id: String(record['id']),
      kind,
      createdTime: String(record['created_time']),
      parentId,
    })
  }

  has(id: string): boolean {
    return this.#nodes.has(id)
  }

  get size(): number {
    return this.#nodes.size
  }

  *kinds(): Generator<NodeKind, void, undefined> {
    for (const { kind } of this.#nodes.values()) yield kind
  }

  get(id: string): TreeNode | undefined {
    return this.#nodes.get(id)
  }

  /**
   * Parents before what they contain. What is in a record that the token does not see comes to the top.
   * @param placesOn the pages and databases on a page, in their order; rows come in the order of their age
   */
  async *inOrder(placesOn: (pageId: string) => Promise<readonly string[]>): AsyncGenerator<TreeNode, void, undefined> {
    const below = new Map<string | undefined, TreeNode[]>()
    for (const node of this.#nodes.values()) {
      const parentId = node.parentId !== undefined && this.#nodes.has(node.parentId) ? node.parentId : undefined
      node.parentId = parentId
      const siblings = below.get(parentId)
      if (siblings) siblings.push(node)
      else below.set(parentId, [node])
    }
    const waiting = [...(below.get(undefined) ?? [])].toSorted(byAge)
    for (let index = 0; index < waiting.length; index += 1) {
      const node = waiting[index]
      if (!node) continue
      yield node
      const children = (below.get(node.id) ?? []).toSorted(byAge)
      const places = node.kind === 'page' && children.length > 1 ? await placesOn(node.id) : []
      const placeOf = ({ id }: TreeNode): number => (places.includes(id) ? places.indexOf(id) : places.length)
      for (const child of children.toSorted((one, other) => placeOf(one) - placeOf(other))) waiting.push(child)
    }
  }
}

function byAge(one: TreeNode, other: TreeNode): number {
  return one.createdTime < other.createdTime ? -1 : one.createdTime > other.createdTime ? 1 : one.id < other.id ? -1 : 1
}

/** The parent that a record names; undefined for the workspace. */
export function parentOf({ parent }: Values): { readonly type: string; readonly id: string } | undefined {
  if (!isObject(parent)) return undefined
  const type = String(parent['type'])
  // A row names its database too; its data source is the nearer one.
  const id = parent[type]
  return typeof id === 'string' ? { type, id } : undefined
}
