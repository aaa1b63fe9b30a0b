import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { refusalOf, type CloneContext, type Values } from './clone_context.ts'
import { containedRecords } from './record_tree.ts'

/** The most blocks that one request appends. */
const BATCH = 100
/** A request is sent once it has this many blocks, nested ones included. */
const ELEMENTS = 800
/** The maximum depth of blocks that must be created with their first children: columns in a list, a table in a column. */
const DRAFT_LEVELS = 10
/** The most blocks with children that are followed on one page: a malicious server could invent them forever. */
const BLOCKS_MAX = 100_000
/** The union of blocks that can be created. */
const UNION = 'BlockRequest'

/** A block to be written, with the blocks that must be created with it. */
interface Draft {
  readonly request: Values
  /** The block's own id, then the ids of the blocks inside it, depth first. */
  readonly ids: readonly [string, ...string[]]
  readonly hasChildren: boolean
}

/** A mirror of a synced block, which can be written only after its original. */
interface Mirror {
  readonly parentId: string
  readonly after: string | undefined
  readonly block: Values
}

/** Copies the blocks of pages, keeping their order and ids. */
export class BlockCopier {
  readonly #context: CloneContext
  /** Blocks that exist in the clone. */
  readonly #written: Set<string>

  constructor(context: CloneContext) {
    this.#context = context
    this.#written = new Set(context.progress.valuesOf('blocks ').flatMap((ids) => ids.split(' ')))
  }

  /** Copies the content of a page or block, one list after the other: however deep blocks are nested, one page of one list is in memory. */
  async copy(rootId: string): Promise<void> {
    const { progress } = this.#context
    const step = `children ${rootId}`
    if (progress.isDone(step)) return
    const known = new Set([rootId])
    const waiting = [rootId]
    for (let parentId = waiting.pop(); parentId !== undefined; parentId = waiting.pop()) {
      await this.#copyList(parentId, (id) => {
        if (known.has(id))
          return progress.leaveOut('place of a block', id, 'According to the server, it is inside itself, or has two parents.')
        if (known.size === BLOCKS_MAX)
          return progress.leaveOut('blocks in a block', id, `Its page has more than ${BLOCKS_MAX} blocks with children.`)
        known.add(id)
        waiting.push(id)
      })
    }
    progress.note(step)
  }

  /** @param onChildren called with each block that has been copied and has children */
  async #copyList(parentId: string, onChildren: (id: string) => void): Promise<void> {
    const { progress } = this.#context
    let [after, batch] = [undefined as string | undefined, [] as Draft[]]
    const flush = async (): Promise<void> => {
      after = await this.#append(parentId, after, batch, onChildren)
      batch = []
    }
    for await (const block of this.#children(parentId)) {
      const id = String(block['id'])
      if (this.#written.has(id)) {
        await flush()
        after = id
        if (block['has_children'] === true) onChildren(id)
      } else if (containedRecords.has(block['type'])) {
        await flush()
        if (this.#context.tree.get(id)?.parentId === parentId) after = id
        else this.#leaveOutPlace(id)
      } else if (originalOf(block) !== undefined) {
        await flush()
        progress.note(`mirror ${id}`, JSON.stringify({ parentId, after, block } satisfies Mirror))
      } else {
        const draft = await this.#draft(block)
        if (draft) batch.push(draft)
        if (batch.length === BATCH || elementsOf(batch) >= ELEMENTS) await flush()
      }
    }
    await flush()
  }

  /** Copies the mirrors of synced blocks. If the original is not in the clone, one mirror replaces it. */
  async copyMirrors(): Promise<void> {
    const taken = new Set<string>()
    // The replacement of an original may contain more mirrors.
    for (let count = -1; count !== taken.size;) {
      count = taken.size
      // Of consecutive mirrors, the last is inserted first, after the block before them.
      for (const text of this.#context.progress.valuesOf('mirror ').toReversed()) {
        if (!taken.has(text)) await this.#copyMirror(JSON.parse(text))
        taken.add(text)
      }
    }
  }

  async #copyMirror({ parentId, after, block }: Mirror): Promise<void> {
    const { progress } = this.#context
    const id = String(block['id'])
    const original = originalOf(block) ?? ''
    const substitute = progress.valueOf(`original ${original}`)
    if (substitute !== id) {
      if (this.#written.has(id)) return
      const mirror = await this.#draft(mirrorOf(block, substitute ?? original))
      if (mirror && (await this.#send(parentId, after, [mirror])) === undefined) return
      // Noted before the copy, so that a resumed clone continues with the same mirror.
      progress.note(`original ${original}`, id)
    }
    // The mirror shows the children of the original, which can therefore be read through it.
    if (this.#written.has(id)) return this.copy(id)
    const copy = await this.#draft({ ...block, synced_block: { synced_from: null } })
    if (!copy) return
    let hasChildren = false
    await this.#append(parentId, after, [copy], () => (hasChildren = true))
    if (hasChildren) await this.copy(id)
  }

  #leaveOutPlace(id: string): void {
    const reason = this.#context.tree.has(id)
      ? 'It is inside a block. In the clone, it is on the page itself.'
      : 'The server does not list it for this token, or it is a view of a database elsewhere.'
    this.#context.progress.leaveOut('place of a page or database', id, reason)
  }

  #children(parentId: string): AsyncIterable<Values> {
    return this.#context.source.blocks.children.list({ block_id: parentId })
  }

  /**
   * Appends drafts.
   * @param onChildren called with each draft that has children
   * @returns the block after which to append the next drafts
   */
  async #append(
    parentId: string,
    after: string | undefined,
    drafts: readonly Draft[],
    onChildren: (id: string) => void,
  ): Promise<string | undefined> {
    if (drafts.length === 0) return after
    let last = after
    if ((await this.#send(parentId, after, drafts)) === undefined) last = drafts.at(-1)?.ids[0]
    else
      for (const draft of drafts) {
        const refusal = await this.#send(parentId, last, [draft])
        if (refusal === undefined) last = draft.ids[0]
        else this.#context.progress.leaveOut('block', draft.ids[0], refusal)
      }
    for (const { ids, hasChildren } of drafts) if (hasChildren && this.#written.has(ids[0])) onChildren(ids[0])
    return last
  }

  /** @returns the reason if it was refused */
  async #send(parentId: string, after: string | undefined, drafts: readonly Draft[]): Promise<string | undefined> {
    const { target, progress } = this.#context
    const ids = drafts.flatMap((draft) => draft.ids)
    const step = `blocks ${ids.length} ${ids[0] ?? ''}`
    const position = after === undefined ? { type: 'start' } : { type: 'after_block', after_block: { id: after } }
    const body = { children: drafts.map(({ request }) => request), position }
    try {
      await target.send('appendBlockChildren', { path: { block_id: parentId }, body, key: step, ids: { block: ids } })
    } catch (error) {
      return refusalOf(error)
    }
    progress.note(step, ids.join(' '))
    for (const id of ids) this.#written.add(id)
    return undefined
  }

  /** The request that creates a block; undefined, and noted, if the block cannot be created. */
  async #draft(block: Values, level = 1): Promise<Draft | undefined> {
    const { form, rewriter, progress } = this.#context
    const [id, type] = [String(block['id']), String(block['type'])]
    const content = await rewriter.rewrite(block[type])
    const childrenMin = form.childrenMin(UNION, type)
    const inside = childrenMin && level < DRAFT_LEVELS ? await this.#firstChildren(id, level + 1) : []
    const children = inside.map(({ request }) => request)
    const whole = childrenMin !== undefined && isObject(content) ? { ...content, children } : content
    const request = form.of(UNION, { type, [type]: whole })
    if (isObject(request) && inside.length >= (childrenMin ?? 0))
      return { request, ids: [id, ...inside.flatMap(({ ids }) => ids)], hasChildren: block['has_children'] === true }
    progress.leaveOut('block', id, `A block of type ${type} cannot be created like this.`)
    return undefined
  }

  /** The first children of a block that cannot be created without children. */
  async #firstChildren(parentId: string, level: number): Promise<Draft[]> {
    const drafts: Draft[] = []
    for await (const child of this.#children(parentId)) {
      const draft = await this.#draft(child, level)
      if (draft) drafts.push(draft)
      if (drafts.length === BATCH) break
    }
    return drafts
  }
}

function elementsOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { ids }) => sum + ids.length, 0)
}

/** The original of a mirror; undefined for all other blocks. */
function originalOf({ synced_block: content }: Values): string | undefined {
  const from = isObject(content) ? content['synced_from'] : undefined
  return isObject(from) ? String(from['block_id']) : undefined
}

function mirrorOf(block: Values, originalId: string): Values {
  return { ...block, synced_block: { synced_from: { type: 'block_id', block_id: originalId } } }
}
