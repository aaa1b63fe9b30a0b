import { appendFileSync, createReadStream, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { LineJournal } from './line_journal.ts'

/** Decisions made at the start of a clone. */
export interface CloneHead {
  readonly source: string
  readonly workspaceId: string
  /** The token of the connection that writes the clone. */
  readonly token: string
}

/** Content of the source that the clone lacks. */
export interface Omission {
  readonly what: string
  readonly id: string
  readonly reason: string
}

type Line = { readonly head: CloneHead } | { readonly done: string; readonly value?: string } | { readonly leftOut: Omission }

/** The files contain a token and the content of the source. */
const OWNER_ONLY = { mode: 0o600 } as const

/** The progress of a clone: a folder with each finished step, and the listed records. The next run of the clone resumes from there. */
export class ProgressFile {
  readonly folder: string
  readonly #done = new Map<string, string>()
  readonly #leftOut = new Map<string, Omission>()
  readonly #journal: LineJournal<Line>
  #head: CloneHead | undefined

  /** @throws AdministrationError while another process uses the progress folder */
  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#journal = new LineJournal<Line>(this.#steps, (line) => this.#add(line))
  }

  /** Undefined for a clone that has not begun. */
  get head(): CloneHead | undefined {
    return this.#head
  }

  get leftOut(): readonly Omission[] {
    return [...this.#leftOut.values()]
  }

  get temporaryPath(): string {
    return join(this.folder, 'file')
  }

  begin(head: CloneHead): void {
    this.#write({ head })
  }

  isDone(step: string): boolean {
    return this.#done.has(step)
  }

  /** The notes of a step. */
  valueOf(step: string): string | undefined {
    return this.#done.get(step)
  }

  /** The notes of the steps whose names have this prefix. */
  valuesOf(start: string): string[] {
    return [...this.#done].filter(([step]) => step.startsWith(start)).map(([, value]) => value)
  }

  note(step: string, value = ''): void {
    this.#write({ done: step, ...(value !== '' && { value }) })
  }

  leaveOut(what: string, id: string, reason: string): void {
    if (!this.#leftOut.has(`${what} ${id}`)) this.#write({ leftOut: { what, id, reason } })
  }

  /** Restarts the list of records. */
  emptyRecords(): void {
    writeFileSync(this.#records, '', OWNER_ONLY)
  }

  addRecord(record: object): void {
    appendFileSync(this.#records, `${JSON.stringify(record)}\n`, OWNER_ONLY)
  }

  /** The records of the source, in the order in which they were listed. */
  async *records(): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
    for await (const line of createInterface({ input: createReadStream(this.#records), crlfDelay: Infinity }))
      if (line !== '') yield JSON.parse(line)
  }

  /** Deletes the progress of a clone that is finished, or has not begun. */
  remove(): void {
    for (const file of [this.#steps, this.#records, this.temporaryPath]) rmSync(file, { force: true })
  }

  /** Lets other processes resume the clone. Deletes the folder if it is empty. */
  close(): void {
    this.#journal.close()
    if (readdirSync(this.folder).length === 0) rmdirSync(this.folder)
  }

  get #steps(): string {
    return join(this.folder, 'steps.jsonl')
  }

  get #records(): string {
    return join(this.folder, 'records.jsonl')
  }

  #write(line: Line): void {
    // A lost note only means that a step is repeated, but a lost head would create a second workspace.
    this.#journal.write(line, 'head' in line)
    this.#add(line)
  }

  #add(line: Line): void {
    if ('head' in line) this.#head = line.head
    else if ('done' in line) this.#done.set(line.done, line.value ?? '')
    else this.#leftOut.set(`${line.leftOut.what} ${line.leftOut.id}`, line.leftOut)
  }
}
