import {
  grantedAmong,
  memberLevels,
  ownRules,
  findAncestors,
  visibleRoots,
  type AccessLevel,
  type Ancestor,
  type Viewer,
} from '../../store/access.ts'
import type { Connection } from '../../store/database.ts'
import { listTitlesBelow, type TitleRow } from '../../store/titles.ts'

/** What is above a title: whether any of it is in the trash, and whether a bot was given any of it. */
interface Standing {
  readonly trashed: boolean
  readonly granted: boolean
}

/** Where nothing is above. */
const AT_THE_TOP: Standing = { trashed: false, granted: false }
/** One of so many is much. */
const SEEN_OF = 50
const NOWHERE: Ancestor = { parentId: undefined, inTrash: false, granted: false }

/**
 * What one caller sees of the titles. What is above a title is looked up once for everything below the same block: many candidates
 * cost as much as the blocks that they lie in.
 */
export class TitleVisibility {
  readonly #db: Connection
  readonly #viewer: Viewer
  readonly #inTrash: boolean
  readonly #ancestors = new Map<string, Ancestor>()
  readonly #standings = new Map<string, Standing>()
  readonly #levels = new Map<string, AccessLevel>()
  #everything: Promise<TitleRow[] | undefined> | undefined
  #checked = 0
  #seen = 0

  /** @param inTrash whether what is in the trash is looked for; if not, nothing below something in the trash is seen either */
  constructor(db: Connection, viewer: Viewer, inTrash: boolean) {
    this.#db = db
    this.#viewer = viewer
    this.#inTrash = inTrash
  }

  /** How many titles it was asked about. */
  get checked(): number {
    return this.#checked
  }

  /** Of what it was asked about, so much was visible that going on will soon fill a page. */
  get seesMuch(): boolean {
    return this.#seen * SEEN_OF > this.#checked
  }

  /** Ids of those that the caller sees. */
  async among(rows: readonly TitleRow[]): Promise<Set<string>> {
    const visible = await this.#visibleAmong(rows)
    this.#checked += rows.length
    this.#seen += visible.size
    return visible
  }

  async #visibleAmong(rows: readonly TitleRow[]): Promise<Set<string>> {
    const isWhole = this.#viewer.seesWholeWorkspace
    if (!(isWhole && this.#inTrash)) await this.#findAbove(rows)
    const standing = ({ parentId }: TitleRow): Standing => this.#standings.get(parentId) ?? AT_THE_TOP
    const live = this.#inTrash ? rows : rows.filter((row) => !standing(row).trashed)
    if (isWhole) return idsOf(live)
    if (this.#viewer.memberLevel !== undefined) return this.#seenByMember(live)
    const granted = live.filter((row) => standing(row).granted)
    const others = live.filter((row) => !standing(row).granted).map(({ id }) => id)
    return new Set([...idsOf(granted), ...(await grantedAmong(this.#db, this.#viewer, others))])
  }

  /** A superset of all that the caller can see, if that is little; undefined when it is more than `limit`. */
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
    for (const { parentId } of rows) this.#settle(parentId)
  }

  /** Works out the standing below a block, and below all above it. */
  #settle(parentId: string): void {
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
