import type { UpdatePageMarkdownRequest } from '../../../../../generated/types.ts'
import { inSlices, yieldToEventLoop } from '../../../../kernel/yield_to_event_loop.ts'
import { isStoredFile } from '../../../files/index.ts'
import { ReferenceList } from '../../references.ts'
import type { Scope } from '../../../shared/index.ts'
import { planBlocks, type PlannedPart } from './plan_blocks.ts'
import { editText, type Edit } from './edit_text.ts'
import { diffBlocks, newBlocksOf, type Difference, type WantedBlock } from '../diff/diff_blocks.ts'
import { Drafter } from '../parse/drafter.ts'
import { gatherHostedFiles, withoutSignatures } from './gather_hosted_files.ts'
import { diffInsertion } from '../diff/diff_insertion.ts'
import { extentOf, type LoadedNode } from '../write/load_tree.ts'
import { parseChange } from './parse_change.ts'
import { SegmentedText, type ChangedPart, type SegmentRange } from './segmented_text.ts'
import type { PageSegment, Rendering } from '../write/render_block.ts'
import { resolveReferencesOf } from '../parse/resolve_references.ts'
import { BLOCKS_MAX, type MarkdownBlock } from '../shared/markdown_block.ts'

/** The effect of an edit on parts of a page, in order. The content between them stays. */
interface Change {
  readonly parts: readonly WantedPart[]
  readonly difference: Difference
  readonly path: string
}

interface WantedPart extends SegmentRange {
  readonly wanted: readonly WantedBlock[]
}

/** A planned change of a page. */
export interface PlannedUpdate {
  readonly parts: readonly PlannedPart[]
  /** Whether the parts together are the whole page. */
  readonly isWhole: boolean
  /** Whether the page will be empty. */
  readonly isClear: boolean
  readonly difference: Difference
  /** The records to which the new blocks refer. */
  readonly references: ReferenceList
}

/**
 * Plans the changes of a command on the Markdown of a page. Only the parts that the command touches are parsed and compared, unless other
 * parts may depend on them. In that case, the whole page is parsed and compared.
 */
export class MarkdownUpdate {
  readonly #scope: Scope
  readonly #present: Rendering
  readonly #page: SegmentedText
  /** Whether a part can be processed separately: no synced copy shows it, and the whole page was loaded. */
  readonly #canUpdatePart: boolean

  constructor(scope: Scope, present: Rendering) {
    this.#scope = scope
    this.#present = present
    const texts = present.segments.map(({ text }) => withoutSignatures(text, scope.baseUrl))
    this.#page = new SegmentedText(present.segments, texts)
    this.#canUpdatePart = present.tree.isWhole && present.tree.originals.size === 0
  }

  /** @returns undefined if nothing changes */
  async plan(request: UpdatePageMarkdownRequest): Promise<PlannedUpdate | undefined> {
    const edit = await editText(this.#page.text, request, this.#scope)
    const isClear = edit.kind === 'text' && edit.text.trim() === ''
    if (edit.kind === 'text' && edit.text === this.#page.text && !(isClear && this.#present.tree.hasMore)) return undefined
    const { difference, parts: wanted, path } = await this.#changeOf(edit)
    const references = new ReferenceList()
    const parts = await this.#planParts(wanted, difference, path, references)
    await yieldToEventLoop()
    return { parts, isWhole: this.#isWhole(parts), isClear, difference, references }
  }

  async #changeOf(edit: Edit): Promise<Change> {
    const whole = [{ ...this.#page.whole, text: edit.text }]
    const parts = this.#canUpdatePart ? this.#partsOf(edit) : whole
    const partly = this.#isWhole(parts) ? undefined : await this.#changeIn(parts, edit)
    const change = partly ?? (await this.#changeIn(whole, edit))
    if (!change) throw new Error('a whole text is always parsed')
    return change
  }

  #isWhole(parts: readonly SegmentRange[]): boolean {
    return parts.some((part) => this.#page.isWhole(part))
  }

  #partsOf(edit: Edit): ChangedPart[] {
    if (edit.kind === 'text') return this.#page.changedIn(edit.text)
    const { text, place } = edit
    const { end: count } = this.#page.whole
    if (place === 'start') return [{ ...this.#page.around({ start: 0, end: 0 }), text }]
    if (place === 'end') return [{ ...this.#page.around({ start: count, end: count }), text }]
    const segment = this.#page.segmentAt(place.after)
    return [{ ...this.#page.around({ start: segment, end: segment + 1 }), text }]
  }

  /** @returns undefined if the new text of a part does not end within the part */
  async #changeIn(parts: readonly ChangedPart[], edit: Edit): Promise<Change | undefined> {
    const isWhole = this.#isWhole(parts)
    const current = parts.map(({ start, end, text }) => {
      const inside = this.#present.segments.slice(start, end)
      return { text: this.#page.textOf({ start, end }), inside, written: text }
    })
    const inside = isWhole ? [] : current.flatMap((part) => part.inside)
    const blocksMax = edit.kind === 'text' ? await this.#blocksMax(inside) : BLOCKS_MAX
    const { old, owners, fresh, isClosed } = await parseChange(current, blocksMax, edit.path)
    if (!isWhole && !isClosed && edit.kind === 'text') return undefined
    const difference =
      edit.kind === 'text'
        ? await inSlices(diffBlocks(old, owners, fresh.flat()))
        : diffInsertion(old, owners, fresh.flat(), this.#placeOf(edit))
    await yieldToEventLoop()
    return { parts: wantedIn(parts, difference, fresh), difference, path: edit.path }
  }

  /** The maximum number of blocks in a part or in the whole page: one for each current line, plus the limit of one text. */
  async #blocksMax(inside: readonly PageSegment[]): Promise<number> {
    const lines = this.#present.segments.reduce((sum, { owners }) => sum + owners.length, 0)
    if (inside.length === 0) return lines + BLOCKS_MAX
    const { blocks } = await inSlices(extentOf(inside.map(({ node }) => node)))
    return lines + BLOCKS_MAX - (this.#present.tree.extent.blocks - blocks)
  }

  #placeOf({ place }: Extract<Edit, { kind: 'insertion' }>): 'start' | 'end' | LoadedNode {
    if (typeof place === 'string') return place
    const index = this.#page.segmentAt(place.after)
    const start = this.#page.textOf({ start: 0, end: index }).length
    const line = this.#page.text.slice(index === 0 ? 0 : start + 1, place.after).split('\n').length - 1
    return this.#present.segments[index]?.owners[line] ?? 'end'
  }

  async #planParts(
    parts: readonly WantedPart[],
    difference: Difference,
    path: string,
    references: ReferenceList,
  ): Promise<PlannedPart[]> {
    for (const id of filesOf(this.#present.tree.root)) references.presentFiles.add(id)
    const resolved = await resolveReferencesOf(this.#scope, newBlocksOf(difference.wanted))
    const { baseUrl } = this.#scope
    const drafter = new Drafter(resolved, { ...this.#scope, references }, path, gatherHostedFiles(this.#present.shown, baseUrl))
    const planned: PlannedPart[] = []
    for (const { start, end, wanted } of parts) planned.push({ start, end, plan: await inSlices(planBlocks(wanted, drafter)) })
    return planned
  }
}

/** The target state of a page, split by the part in whose text each block is. */
function wantedIn(
  parts: readonly SegmentRange[],
  { wanted }: Difference,
  fresh: readonly (readonly MarkdownBlock[])[],
): WantedPart[] {
  const [only] = parts
  // If something was inserted, there is one part, and the inserted blocks are among its blocks.
  if (only && parts.length === 1) return [{ start: only.start, end: only.end, wanted }]
  const partOf = new Map(fresh.flatMap((blocks, part) => blocks.map((block) => [block, part] as const)))
  const byPart = Map.groupBy(wanted, ({ block }) => partOf.get(block))
  return parts.map(({ start, end }, part) => ({ start, end, wanted: byPart.get(part) ?? [] }))
}

/** Files that media blocks at or below a node show. */
function* filesOf({ block: { content }, children }: LoadedNode): Generator<string> {
  if (isStoredFile(content)) yield content.file.id
  for (const child of children) yield* filesOf(child)
}
