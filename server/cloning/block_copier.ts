import { refusalOf, type CloneParts, type Values } from './clone_parts.ts'
import { CONTAINED_RECORDS } from './make_records.ts'
import { isObject } from '../kernel/is_object.ts'

/** The most blocks that one request appends. */
const BATCH = 100
/** From this many blocks on, those inside of others included, a request is sent. */
const ELEMENTS = 800

/** A block that is going to be written, with the blocks that it has to be created with. */
interface Draft {
  readonly request: Values
  /** Its own id, then those of the blocks inside of it, depth first. */
  readonly ids: readonly string[]
  /** Blocks whose children follow once it is there, and how many of them are there already. */
  readonly open: readonly { readonly id: string; readonly from: number }[]
}

/** A mirror of a synced block, which can be written only after its original. */
interface Mirror {
  readonly parentId: string
  readonly after: string | undefined
  readonly block: Values
}

/** Copies the blocks of pages, in their order and under their ids. */
export class BlockCopier {
  readonly #parts: CloneParts

  constructor(parts: CloneParts) {
    this.#parts = parts
  }

  /** Copies what is in a page or block. @param from the index of the first child to copy */
  async copy(parentId: string, from = 0): Promise<void> {
    const { progress } = this.#parts
    const step = `children ${parentId}`
    if (progress.isDone(step)) return
    let [index, after, batch] = [0, undefined as string | undefined, [] as Draft[]]
    const flush = async (): Promise<void> => {
      after = await this.#append(parentId, after, batch)
      batch = []
    }
    for await (const block of this.#children(parentId)) {
      index += 1
      const id = String(block['id'])
      if (index <= from) {
        after = id
        continue
      }
      if (CONTAINED_RECORDS.has(String(block['type']))) {
        await flush()
        if (this.#parts.tree.get(id)?.parentId === parentId) after = id
        else
          progress.leaveOut(
            'place of a page or database',
            id,
            'It is inside of a block; the clone has it on the page itself, or not at all.',
          )
        continue
      }
      if (isMirror(block)) {
        await flush()
        progress.note(`mirror ${id}`, JSON.stringify({ parentId, after, block }))
        continue
      }
      const draft = await this.#draft(block)
      if (draft) batch.push(draft)
      if (batch.length === BATCH || elementsOf(batch) >= ELEMENTS) await flush()
    }
    await flush()
    progress.note(step)
  }

  /** Copies the mirrors of synced blocks, or their content where the original is not in the clone. */
  async copyMirrors(): Promise<void> {
    for (const text of this.#parts.progress.valuesOf('mirror ')) {
      const { parentId, after, block }: Mirror = JSON.parse(text)
      const draft = await this.#draft(block)
      if (!draft) continue
      const id = String(block['id'])
      const refusal = await this.#send(parentId, after, [draft])
      if (refusal === undefined) continue
      // Its children are those of the original, and can be read through it.
      const asOriginal = { ...block, synced_block: { synced_from: null } }
      const copy = await this.#draft(asOriginal)
      if (!copy || (await this.#send(parentId, after, [copy])) !== undefined) this.#parts.progress.leaveOut('block', id, refusal)
    }
  }

  #children(parentId: string): AsyncGenerator<Values, void, undefined> {
    return this.#parts.source.each('listBlockChildren', { path: { block_id: parentId } })
  }

  /** Appends drafts, and then the children of each. @returns the block after which the next ones go */
  async #append(parentId: string, after: string | undefined, drafts: readonly Draft[]): Promise<string | undefined> {
    if (drafts.length === 0) return after
    let last = after
    const taken: Draft[] = []
    if ((await this.#send(parentId, after, drafts)) === undefined) taken.push(...drafts)
    else
      for (const draft of drafts) {
        const refusal = await this.#send(parentId, last, [draft])
        if (refusal !== undefined) this.#parts.progress.leaveOut('block', draft.ids[0] ?? '', refusal)
        else {
          taken.push(draft)
          last = draft.ids[0]
        }
      }
    for (const { open } of taken) for (const { id, from } of open) await this.copy(id, from)
    return taken.at(-1)?.ids[0] ?? last
  }

  /** @returns why it was refused */
  async #send(parentId: string, after: string | undefined, drafts: readonly Draft[]): Promise<string | undefined> {
    const { target, progress } = this.#parts
    const ids = drafts.flatMap((draft) => draft.ids)
    const step = `blocks ${ids[0] ?? ''} ${ids.length} ${after ?? ''}`
    if (progress.isDone(step)) return undefined
    const position = after === undefined ? { type: 'start' } : { type: 'after_block', after_block: { id: after } }
    const body = { children: drafts.map(({ request }) => request), position }
    try {
      await target.send('appendBlockChildren', { path: { block_id: parentId }, body, key: step, ids: { block: ids } })
    } catch (error) {
      return refusalOf(error)
    }
    progress.note(step)
    return undefined
  }

  /** The request that creates a block; undefined, and noted, if there is none. */
  async #draft(block: Values): Promise<Draft | undefined> {
    const { form, rewriter, progress } = this.#parts
    const [id, type] = [String(block['id']), String(block['type'])]
    const content = await rewriter.rewrite(block[type])
    const childrenMin = form.childrenMin(UNION, type)
    const inside = childrenMin ? await this.#firstChildren(id) : []
    const children = inside.map(({ request }) => request)
    const withChildren = childrenMin !== undefined && isObject(content) ? { ...content, children } : content
    const request = form.of(UNION, { type, [type]: withChildren })
    if (!isObject(request) || inside.length < (childrenMin ?? 0)) {
      progress.leaveOut('block', id, `A block of type ${type} cannot be created like this.`)
      return undefined
    }
    const mayHaveMore = block['has_children'] === true
    const open = [...(mayHaveMore ? [{ id, from: inside.length }] : []), ...inside.flatMap((child) => child.open)]
    return { request, ids: [id, ...inside.flatMap((child) => child.ids)], open }
  }

  /** The first children of a block that cannot be created without. */
  async #firstChildren(parentId: string): Promise<Draft[]> {
    const drafts: Draft[] = []
    for await (const child of this.#children(parentId)) {
      const draft = await this.#draft(child)
      if (draft) drafts.push(draft)
      if (drafts.length === BATCH) break
    }
    return drafts
  }
}

const UNION = 'BlockRequest'

function elementsOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { ids }) => sum + ids.length, 0)
}

function isMirror({ synced_block: content }: Values): boolean {
  return isObject(content) && isObject(content['synced_from'])
}
