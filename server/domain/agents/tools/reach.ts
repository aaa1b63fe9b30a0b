import type { AgentConnection, WorkspacePermission } from '../../../../generated/types.ts'
import { oneSpelling } from '../../../kernel/ids.ts'
import { findAncestors, memberLevels } from '../../../store/access.ts'
import type { Scope } from '../../shared/index.ts'
import { isPersonal, type Agent } from '../agent.ts'

/** In ascending order; each includes those before it. */
const contentRoles = ['reader', 'comment_only', 'read_and_write', 'editor'] as const
export type ContentRole = (typeof contentRoles)[number]

export type AgentRights = Pick<Agent, 'type' | 'connections' | 'createdBy'>

/** 0 for no access; otherwise the index of the role plus one. */
type Rank = number

/**
 * The reach of an agent for one caller: what is visible to the caller and covered by the agent's permissions. A permission for a
 * page covers everything below it. One for the workspace covers what is visible to all members; what is restricted to the creator
 * of the agent is private. If several permissions apply, the one with the highest role decides. The personal agent has no
 * permissions of its own: its reach is everything that is visible to the caller.
 */
export class Reach {
  readonly #scope: Scope
  readonly #ownerId: string | null
  readonly #isPersonal: boolean
  readonly #pages = new Map<string, Rank>()
  #workspace: Rank = 0
  #private: Rank = 0

  constructor(scope: Scope, agent: AgentRights) {
    this.#scope = scope
    this.#ownerId = agent.createdBy
    this.#isPersonal = isPersonal(agent)
    // The connections were validated against the contract before they were stored.
    for (const connection of agent.connections as readonly AgentConnection[])
      if (connection.type === 'workspace') connection.permissions.forEach(this.#add)
  }

  readonly #add = ({ target, scopes }: WorkspacePermission): void => {
    const rank = Math.max(0, ...scopes.map((scope) => rankOf(scope)))
    if (target.type === 'workspace') this.#workspace = Math.max(this.#workspace, rank)
    if (target.type === 'owner_private_pages') this.#private = Math.max(this.#private, rank)
    if (target.type !== 'page') return
    const id = oneSpelling(target.id)
    this.#pages.set(id, Math.max(this.#pages.get(id) ?? 0, rank))
  }

  /** Whether the agent has at least this role anywhere. */
  allows(role: ContentRole): boolean {
    const needed = rankOf(role)
    return this.#isPersonal || [this.#workspace, this.#private, ...this.#pages.values()].some((rank) => rank >= needed)
  }

  /** The pages named by permissions with at least this role, in order. */
  namedPages(role: ContentRole): string[] {
    return [...this.#pages].flatMap(([id, rank]) => (rank >= rankOf(role) ? [id] : []))
  }

  /** Whether permissions cover more than single pages. */
  get isWide(): boolean {
    return this.#isPersonal || this.#workspace > 0 || this.#private > 0
  }

  /**
   * The given ids for which the agent has at least the role.
   * @param ids of pages and databases visible to the caller
   */
  async among(ids: readonly string[], role: ContentRole): Promise<Set<string>> {
    if (ids.length === 0 || this.#isPersonal) return new Set(ids)
    const [named, wide] = [await this.#namedRanks(ids), await this.#wideRanks(ids)]
    return new Set(ids.filter((id) => Math.max(named.get(id) ?? 0, wide.get(id) ?? 0) >= rankOf(role)))
  }

  /** The ranks that permissions for single pages give. */
  async #namedRanks(ids: readonly string[]): Promise<Map<string, Rank>> {
    const ranks = new Map<string, Rank>()
    if (this.#pages.size === 0) return ranks
    const ancestors = await findAncestors(this.#scope.db, this.#scope.actor, ids)
    for (const start of ids) {
      for (let id: string | undefined = start; id !== undefined; id = ancestors.get(id)?.parentId)
        ranks.set(start, Math.max(ranks.get(start) ?? 0, this.#pages.get(id) ?? 0))
    }
    return ranks
  }

  /** The ranks that permissions for the workspace and for private pages give. */
  async #wideRanks(ids: readonly string[]): Promise<Map<string, Rank>> {
    if (!this.isWide) return new Map()
    const { db, actor } = this.#scope
    const { workspaceId } = actor
    const everybody = { workspaceId, userId: workspaceId, seesWholeWorkspace: false, memberLevel: 'full' } as const
    const open = await memberLevels(db, everybody, ids)
    const closed = this.#ownerId === null ? [] : ids.filter((id) => open.get(id) === 'none')
    const owner = { ...everybody, userId: this.#ownerId ?? workspaceId, memberLevel: 'none' } as const
    const own = await memberLevels(db, owner, closed)
    return new Map(
      ids.map((id) => {
        if (open.get(id) !== 'none') return [id, this.#workspace]
        return [id, own.get(id) === 'full' ? this.#private : 0]
      }),
    )
  }
}

function rankOf(scope: string): Rank {
  return contentRoles.findIndex((role) => role === scope) + 1
}
