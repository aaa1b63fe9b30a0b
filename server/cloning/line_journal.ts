import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Journals hold tokens. */
const OWNER_ONLY = { mode: 0o600 } as const

/** A journal of long work, one line of JSON for each note. The next run resumes from it after the process was killed. */
export class LineJournal<Line> {
  readonly #path: string
  readonly #isFlushed: boolean

  /**
   * @param take called with each existing line
   * @param isFlushed whether a line is on the disk before the work goes on, so that it survives a power failure, too
   */
  constructor(path: string, take: (line: Line) => void, isFlushed = false) {
    this.#path = path
    this.#isFlushed = isFlushed
    if (!existsSync(path)) return
    const text = readFileSync(path, 'utf8')
    for (const line of text.split('\n')) readLine(line, take)
    // The next line must not become a part of one that was cut off.
    if (!text.endsWith('\n')) appendFileSync(path, '\n')
  }

  write(line: Line): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { ...OWNER_ONLY, flush: this.#isFlushed })
  }
}

/** A line that was cut off by the end of the process counts as not written: its work is done again. */
function readLine<Line>(text: string, take: (line: Line) => void): void {
  let line: Line
  try {
    line = JSON.parse(text)
  } catch {
    return
  }
  take(line)
}
