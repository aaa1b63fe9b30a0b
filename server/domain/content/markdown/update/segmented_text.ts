import { firstIndex } from '../../../../kernel/first_index.ts'
import { definitionOf } from '../../block_types/index.ts'
import { changedLines, type ChangedLines } from '../diff/changed_lines.ts'
import type { PageSegment } from '../write/render_block.ts'

/** A range of consecutive segments of a page: from `start` up to but excluding `end`. */
export interface SegmentRange {
  readonly start: number
  readonly end: number
}

export interface ChangedPart extends SegmentRange {
  readonly text: string
}

interface PartLines extends SegmentRange {
  readonly firstLine: number
  readonly endLine: number
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

  /** The parts in which another text differs, in their order. The text between two parts is unchanged. */
  changedIn(fresh: string): ChangedPart[] {
    if (this.#segments.length === 0) return [{ ...this.whole, text: fresh }]
    const [lines, freshLines] = [this.text.split('\n'), fresh.split('\n')]
    const starts = this.#lineStarts(lines)
    const parts: PartLines[] = []
    for (const place of changedLines(lines, freshLines)) {
      const last = parts.at(-1)
      const part = this.#partAround(place, starts, last)
      if (last && part.start <= last.end) parts[parts.length - 1] = { ...last, end: part.end, endLine: part.endLine }
      else parts.push(part)
    }
    return parts.map(({ start, end, firstLine, endLine }) => ({
      start,
      end,
      text: freshLines.slice(firstLine, endLine).join('\n'),
    }))
  }

  /** The part around changed lines: `before` if that includes the change. The texts are equal from its end up to the next changed lines. */
  #partAround({ old, fresh }: ChangedLines, starts: readonly number[], before: SegmentRange | undefined): PartLines {
    const { end: count } = this.whole
    const segmentOf = (line: number): number => Math.max(firstIndex(count, (index) => (starts[index] ?? 0) > line) - 1, 0)
    const changed = { start: segmentOf(old.start - 1), end: segmentOf(old.end) + 1 }
    const { start, end } = before && changed.end < before.end ? before : this.around(changed)
    const [firstLine, endLine] = [starts[start] ?? 0, starts[end] ?? 0]
    return { start, end, firstLine: firstLine + fresh.start - old.start, endLine: endLine + fresh.end - old.end }
  }

  /** The first line of each segment, and the line after the last segment. */
  #lineStarts(lines: readonly string[]): number[] {
    const starts: number[] = []
    let position = 0
    for (const [line, { length }] of lines.entries()) {
      if (position === this.#starts[starts.length]) starts.push(line)
      position += length + 1
    }
    return [...starts, lines.length]
  }

  /** Extends a range by a neighbor on either side and to whole numbered runs. Nothing outside depends on its content. */
  around({ start, end }: SegmentRange): SegmentRange {
    let [from, to] = [Math.max(start - 1, 0), Math.min(end + 1, this.#starts.length)]
    while (from > 0 && this.#isNumbered(from - 1) && this.#isNumbered(from)) from -= 1
    while (to < this.#starts.length && this.#isNumbered(to - 1) && this.#isNumbered(to)) to += 1
    return { start: from, end: to }
  }

  textOf(part: SegmentRange): string {
    return this.text.slice(...this.#range(part))
  }

  #range({ start, end }: SegmentRange): [start: number, end: number] {
    const next = this.#starts[end]
    return [this.#starts[start] ?? 0, next === undefined ? this.text.length : next - 1]
  }

  #isNumbered(index: number): boolean {
    const block = this.#segments[index]?.node.block
    return block !== undefined && definitionOf(block.type).isNumbered
  }
}
