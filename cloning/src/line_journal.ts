import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { AdministrationError } from '@workspace-service/server/domain/shared/index.ts'
import { lockFile } from '@workspace-service/server/store/dialects/file_lock.ts'

/** Journals contain tokens. */
const OWNER_ONLY = { mode: 0o600 } as const

/** A journal of a long task: one line of JSON for each note. The next run resumes from it after the process was killed. */
export class LineJournal<Line> {
  readonly #path: string
  readonly #unlock: () => void

  /**
   * @param take called with each existing line
   * @throws AdministrationError while another process writes the journal
   */
  constructor(path: string, take: (line: Line) => void) {
    const unlock = lockFile(`${path}.lock`)
    if (!unlock) throw new AdministrationError(`Another process is using ${path}. Wait until it has ended.`)
    this.#path = path
    this.#unlock = unlock
    if (!existsSync(path)) return
    const text = readFileSync(path, 'utf8')
    for (const line of text.split('\n')) readLine(line, take)
    // The next line must not be appended to a truncated one.
    if (!text.endsWith('\n')) appendFileSync(path, '\n')
  }

  /** @param flush whether to wait until the line is on the disk, so that it survives a power failure, too */
  write(line: Line, flush: boolean): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { ...OWNER_ONLY, flush })
  }

  /** Lets other processes resume the work. */
  close(): void {
    this.#unlock()
  }
}

/** Reads one line. A line that was truncated when the process ended counts as not written: its work is repeated. */
function readLine<Line>(text: string, take: (line: Line) => void): void {
  let line: Line
  try {
    line = JSON.parse(text)
  } catch {
    return
  }
  take(line)
}
