import { firstIndex } from '../../../kernel/first_index.ts'
import { definitionOf } from '../../block_types/index.ts'
import type { PageSegment } from '../write/render_block.ts'

/** A range of consecutive segments of a page: from `first` up to but excluding `behind`. */
export interface SegmentRange {
  readonly first: number
  readonly behind: number
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
    return { first: 0, behind: this.#starts.length }
  }

  isWhole({ first, behind }: SegmentRange): boolean {
    return first === 0 && behind === this.#starts.length
  }

  /** The segment that contains a position. */
  segmentAt(position: number): number {
    const behind = firstIndex(this.#starts.length, (index) => (this.#starts[index] ?? 0) > position)
    return Math.max(behind - 1, 0)
  }

  /** The range of segments in which another text differs. */
  changedIn(fresh: string): SegmentRange {
    const max = Math.min(this.text.length, fresh.length)
    let [same, sameBehind] = [0, 0]
    while (same < max && this.text.charCodeAt(same) === fresh.charCodeAt(same)) same += 1
    while (sameBehind < max - same && this.#fromEnd(this.text, sameBehind) === this.#fromEnd(fresh, sameBehind)) sameBehind += 1
    const last = this.segmentAt(this.text.length - sameBehind)
    return this.around({ first: this.segmentAt(same), behind: last + 1 })
  }

  /** Extends a range by a neighbour on either side and to whole numbered runs. Nothing outside depends on its content. */
  around({ first, behind }: SegmentRange): SegmentRange {
    let [from, to] = [Math.max(first - 1, 0), Math.min(behind + 1, this.#starts.length)]
    while (from > 0 && this.#isNumbered(from - 1) && this.#isNumbered(from)) from -= 1
    while (to < this.#starts.length && this.#isNumbered(to - 1) && this.#isNumbered(to)) to += 1
    return { first: from, behind: to }
  }

  textOf(part: SegmentRange): string {
    return this.text.slice(...this.#range(part))
  }

  /** The replacement for a range in a text that differs nowhere else. */
  textIn(fresh: string, part: SegmentRange): string {
    const [start, end] = this.#range(part)
    return fresh.slice(start, fresh.length - (this.text.length - end))
  }

  #range({ first, behind }: SegmentRange): [start: number, end: number] {
    const next = this.#starts[behind]
    return [this.#starts[first] ?? 0, next === undefined ? this.text.length : next - 1]
  }

  #fromEnd(text: string, distance: number): number {
    return text.charCodeAt(text.length - 1 - distance)
  }

  #isNumbered(index: number): boolean {
    const block = this.#segments[index]?.node.block
    return block !== undefined && definitionOf(block.type).isNumbered
  }
}
