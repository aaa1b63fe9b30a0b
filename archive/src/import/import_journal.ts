import { rmSync } from 'node:fs'
import { LineJournal } from '@workspace-service/cloning/line_journal.ts'
import type { OmittedContent } from '../manifest.ts'
import { addCounts, hasContent, noContent, type ContentCounts } from './content_counts.ts'

/** Decisions made at the start of an import. */
export interface ImportHead {
  /** Identifies the source and the destination. */
  readonly task: string
  /** Determines the ids of its records. */
  readonly seed: string
  readonly workspaceId: string
  /** The page that contains everything; undefined for the top of a new workspace. */
  readonly rootId?: string | undefined
  /** The connection that writes. */
  readonly connectionId: string
  readonly token: string
}

/** Notes of finished steps, apart from the records that the steps created. */
export interface StepNotes {
  readonly leftOut: readonly OmittedContent[]
  /** Paths of uploaded files, whether the service has accepted them or not. */
  readonly usedFiles: readonly string[]
  /** The contents of the archive's texts, and how many of them have been created. */
  readonly found: ContentCounts
  readonly made: ContentCounts
}

export const noNotes: StepNotes = { leftOut: [], usedFiles: [], found: noContent, made: noContent }

type Line = { readonly head: ImportHead } | ({ readonly part: string; readonly count: number } & Partial<StepNotes>)

/** The progress of an import. If its process was killed, the next run resumes from there. */
export class ImportJournal {
  /** Whether an earlier process has begun. */
  readonly isResumed: boolean
  readonly leftOut: OmittedContent[] = []
  readonly usedFiles = new Set<string>()
  found = noContent
  made = noContent
  readonly #path: string
  readonly #lines: LineJournal<Line>
  readonly #counts = new Map<string, number>()
  #head: ImportHead | undefined

  /** @throws AdministrationError while another process writes the journal */
  constructor(path: string) {
    this.#path = path
    this.#lines = new LineJournal<Line>(path, (line) => this.#add(line))
    this.isResumed = this.#head !== undefined
  }

  get path(): string {
    return this.#path
  }

  /** Undefined for an import that has not begun. */
  get head(): ImportHead | undefined {
    return this.#head
  }

  begin(head: ImportHead): void {
    this.#write({ head })
  }

  /** How many steps of a part are finished, counted from the first. */
  countOf(part: string): number {
    return this.#counts.get(part) ?? 0
  }

  note(part: string, count: number, { leftOut, usedFiles, found, made }: StepNotes = noNotes): void {
    this.#write({
      part,
      count,
      ...(leftOut.length > 0 && { leftOut }),
      ...(usedFiles.length > 0 && { usedFiles }),
      ...(hasContent(found) && { found }),
      ...(hasContent(made) && { made }),
    })
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }

  /** Lets other processes resume the import. */
  close(): void {
    this.#lines.close()
  }

  #write(line: Line): void {
    this.#lines.write(line, true)
    this.#add(line)
  }

  #add(line: Line): void {
    if ('head' in line) {
      this.#head = line.head
      return
    }
    const { part, count, leftOut, usedFiles, found, made } = { ...noNotes, ...line }
    this.#counts.set(part, count)
    this.leftOut.push(...leftOut)
    for (const path of usedFiles) this.usedFiles.add(path)
    this.found = addCounts(this.found, found)
    this.made = addCounts(this.made, made)
  }
}
