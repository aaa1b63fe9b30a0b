import { firstIndex } from '../../../../kernel/first_index.ts'
import { isEscaped } from './escapes.ts'

/** The code spans of one text, found in linear time for any input. */
export class CodeSpans {
  readonly #text: string
  readonly #skipsEscaped: boolean
  /** The positions of runs of backticks, by their length. */
  #runs: Map<number, number[]> | undefined

  /** @param skipsEscaped whether a backtick after a backslash does not close a code span */
  constructor(text: string, skipsEscaped = false) {
    this.#text = text
    this.#skipsEscaped = skipsEscaped
  }

  /** The end of the run of backticks that begins at `start`. */
  runEnd(start: number): number {
    let end = start
    while (this.#text.charCodeAt(end) === 96) end += 1
    return end
  }

  /** The end of the code span that a run of backticks at `start` opens; undefined if nothing closes it. */
  end(start: number): number | undefined {
    const contentStart = this.runEnd(start)
    const length = contentStart - start
    this.#runs ??= runsOf(this.#text, this.#skipsEscaped)
    const starts = this.#runs.get(length) ?? []
    const close = starts[firstIndex(starts.length, (index) => (starts[index] ?? 0) >= contentStart)]
    return close === undefined ? undefined : close + length
  }
}

function runsOf(text: string, skipsEscaped: boolean): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    if (skipsEscaped && isEscaped(text, index)) continue
    const known = runs.get(run.length)
    if (known) known.push(index)
    else runs.set(run.length, [index])
  }
  return runs
}
