import {
  grantedAmong,
  memberLevels,
  ownRules,
  findAncestors,
  visibleRoots,
  type AccessLevel,
  type Ancestor,
  type Viewer,
} from '../../../store/access.ts'
import type { Connection } from '../../../store/database.ts'
import { listTitlesBelow, type TitleRow } from '../../../store/titles.ts'

/** The state that is inherited from ancestors: whether any of them is in the trash, and whether any is shared with the bot. */
interface AncestorState {
  readonly trashed: boolean
  readonly granted: boolean
}

const AT_THE_TOP: AncestorState = { trashed: false, granted: false }
const NOWHERE: Ancestor = { parentId: undefined, inTrash: false, granted: false }

/**
 * Determines which titles are visible to one caller. Ancestors are read once for all titles below the same block, so the cost depends on
 * the number of parents, not of titles.
 */
export class TitleVisibility {
  readonly #db: Connection
  readonly #viewer: Viewer
  readonly #inTrash: boolean
  readonly #ancestors = new Map<string, Ancestor>()
  readonly #standings = new Map<string, AncestorState>()
  readonly #levels = new Map<string, AccessLevel>()
  #everything: Promise<TitleRow[] | undefined> | undefined
  #checked = 0
  #seen = 0

  /** @param inTrash whether titles in the trash are wanted; if not, titles below a record in the trash are not visible either */
  constructor(db: Connection, viewer: Viewer, inTrash: boolean) {
    this.#db = db
    this.#viewer = viewer
    this.#inTrash = inTrash
  }

  /** The number of titles checked so far. */
  get checked(): number {
    return this.#checked
  }

  /** The number of checked titles that were visible. */
  get seen(): number {
    return this.#seen
  }

  /** The share of visible titles, estimated from those checked so far. */
  get share(): number {
    return (this.#seen + 1) / (this.#checked + 1)
  }

  /** The ids of the visible titles. */
  async among(rows: readonly TitleRow[]): Promise<Set<string>> {
    const visible = await this.#visibleAmong(rows)
    this.#checked += rows.length
    this.#seen += visible.size
    return visible
  }

  async #visibleAmong(rows: readonly TitleRow[]): Promise<Set<string>> {
    const isWhole = this.#viewer.seesWholeWorkspace
    if (!(isWhole && this.#inTrash)) await this.#findAbove(rows)
    const standing = ({ parentId }: TitleRow): AncestorState => this.#standings.get(parentId) ?? AT_THE_TOP
    const live = this.#inTrash ? rows : rows.filter((row) => !standing(row).trashed)
    if (isWhole) return idsOf(live)
    if (this.#viewer.memberLevel !== undefined) return this.#seenByMember(live)
    const granted = live.filter((row) => standing(row).granted)
    const others = live.filter((row) => !standing(row).granted).map(({ id }) => id)
    return new Set([...idsOf(granted), ...(await grantedAmong(this.#db, this.#viewer, others))])
  }

  /** All titles that are visible to the caller, and possibly others; undefined if there are more than `limit`. */
  everything(limit: number): Promise<TitleRow[] | undefined> {
    return (this.#everything ??= this.#listEverything(limit))
  }

  async #listEverything(limit: number): Promise<TitleRow[] | undefined> {
    const roots = await visibleRoots(this.#db, this.#viewer, limit)
    return roots && listTitlesBelow(this.#db, this.#viewer.workspaceId, roots, limit)
  }

  async #findAbove(rows: readonly TitleRow[]): Promise<void> {
    const unknown = rows.map(({ parentId }) => parentId).filter((id) => !this.#ancestors.has(id))
    for (const [id, ancestor] of await findAncestors(this.#db, this.#viewer, unknown)) this.#ancestors.set(id, ancestor)
    for (const { parentId } of rows) this.#resolveState(parentId)
  }

  /** Determines the state of a block and of all its ancestors. */
  #resolveState(parentId: string): void {
    const path: { id: string; ancestor: Ancestor }[] = []
    for (let id: string | undefined = parentId; id !== undefined && !this.#standings.has(id);) {
      const ancestor: Ancestor = this.#ancestors.get(id) ?? NOWHERE
      path.push({ id, ancestor })
      id = ancestor.parentId
    }
    for (const { id, ancestor } of path.reverse()) {
      const above = (ancestor.parentId === undefined ? undefined : this.#standings.get(ancestor.parentId)) ?? AT_THE_TOP
      this.#standings.set(id, { trashed: above.trashed || ancestor.inTrash, granted: above.granted || ancestor.granted })
    }
  }

  async #seenByMember(rows: readonly TitleRow[]): Promise<Set<string>> {
    const unknown = rows.map(({ parentId }) => parentId).filter((id) => !this.#levels.has(id))
    const found = await memberLevels(this.#db, this.#viewer, unknown)
    for (const id of unknown) this.#levels.set(id, found.get(id) ?? this.#viewer.memberLevel ?? 'none')
    const rules = await ownRules(
      this.#db,
      this.#viewer,
      rows.map(({ id }) => id),
    )
    return idsOf(rows.filter(({ id, parentId }) => (rules.get(id) ?? this.#levels.get(parentId)) !== 'none'))
  }
}

function idsOf(rows: readonly TitleRow[]): Set<string> {
  return new Set(rows.map(({ id }) => id))
}
