import { firstIndex } from '../../../kernel/first_index.ts'
import { definitionOf } from '../../block_types/index.ts'
import type { PageSegment } from '../write/render_block.ts'

/** A range of consecutive segments of a page: from `start` up to but excluding `end`. */
export interface SegmentRange {
  readonly start: number
  readonly end: number
}

/** The text of a page in the form used for comparison, with the start positions of its segments. */
export class SegmentedText {
  readonly text: string
  readonly #starts: readonly number[]
  readonly #segments: readonly PageSegment[]

  /** @param texts of the segments */
  constructor(segments: readonly PageSegment[], texts: readonly string[]) {
    this.#segments = segments
    this.text = texts.join('\n')
    let start = 0
    this.#starts = texts.map((text) => {
      start += text.length + 1
      return start - text.length - 1
    })
  }

  get whole(): SegmentRange {
    return { start: 0, end: this.#starts.length }
  }

  isWhole({ start, end }: SegmentRange): boolean {
    return start === 0 && end === this.#starts.length
  }

  /** The segment that contains a position. */
  segmentAt(position: number): number {
    const next = firstIndex(this.#starts.length, (index) => (this.#starts[index] ?? 0) > position)
    return Math.max(next - 1, 0)
  }

  /** The range of segments in which another text differs. */
  changedIn(fresh: string): SegmentRange {
    const max = Math.min(this.text.length, fresh.length)
    let [same, sameAtEnd] = [0, 0]
    while (same < max && this.text.charCodeAt(same) === fresh.charCodeAt(same)) same += 1
    while (sameAtEnd < max - same && this.#fromEnd(this.text, sameAtEnd) === this.#fromEnd(fresh, sameAtEnd)) sameAtEnd += 1
    const last = this.segmentAt(this.text.length - sameAtEnd)
    return this.around({ start: this.segmentAt(same), end: last + 1 })
  }

  /** Extends a range by a neighbour on either side and to whole numbered runs. Nothing outside depends on its content. */
  around({ start, end }: SegmentRange): SegmentRange {
    let [from, to] = [Math.max(start - 1, 0), Math.min(end + 1, this.#starts.length)]
    while (from > 0 && this.#isNumbered(from - 1) && this.#isNumbered(from)) from -= 1
    while (to < this.#starts.length && this.#isNumbered(to - 1) && this.#isNumbered(to)) to += 1
    return { start: from, end: to }
  }

  textOf(part: SegmentRange): string {
    return this.text.slice(...this.#range(part))
  }

  /** The replacement for a range in a text that differs nowhere else. */
  textIn(fresh: string, part: SegmentRange): string {
    const [start, end] = this.#range(part)
    return fresh.slice(start, fresh.length - (this.text.length - end))
  }

  #range({ start, end }: SegmentRange): [start: number, end: number] {
    const next = this.#starts[end]
    return [this.#starts[start] ?? 0, next === undefined ? this.text.length : next - 1]
  }

  #fromEnd(text: string, distance: number): number {
    return text.charCodeAt(text.length - 1 - distance)
  }

  #isNumbered(index: number): boolean {
    const block = this.#segments[index]?.node.block
    return block !== undefined && definitionOf(block.type).isNumbered
  }
}
