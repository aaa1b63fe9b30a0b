import { WriteOrder } from '@workspace-service/cloning/write_order.ts'
import type { OmittedContent } from '../manifest.ts'
import { addCounts, noContent } from './content_counts.ts'
import type { ImportContext, StepContext } from './import_context.ts'
import type { StepNotes } from './import_journal.ts'

/** Concurrent steps: while one waits for the disk, others run. */
const AT_ONCE = 16
/** How many steps are noted together. A resumed process repeats at most these. */
const PORTION = 128

/**
 * Runs a step for each item, except for steps that an earlier process has finished. Several run at a time; their first writes are in the
 * order of the items.
 * @returns the number of items
 */
export async function runSteps<T>(
  context: ImportContext,
  part: string,
  items: Iterable<T> | AsyncIterable<T>,
  take: (context: StepContext, item: T) => Promise<void>,
): Promise<number> {
  const { journal } = context
  const done = journal.countOf(part)
  let [count, isRedone, portion] = [0, journal.isResumed, [] as T[]]
  const runNext = async (): Promise<void> => {
    journal.note(part, count, await takeAtOnce(context, portion, isRedone, take))
    context.onSteps(portion.length)
    isRedone = false
    portion = []
  }
  context.onSteps(done)
  for await (const item of items) {
    count += 1
    if (count > done) portion.push(item)
    if (portion.length === PORTION) await runNext()
  }
  if (portion.length > 0) await runNext()
  return count
}

/** @throws the first error, after all running steps have ended */
async function takeAtOnce<T>(
  context: ImportContext,
  items: readonly T[],
  isRedone: boolean,
  take: (context: StepContext, item: T) => Promise<void>,
): Promise<StepNotes> {
  const order = new WriteOrder()
  const notes: StepNotes[] = []
  const waiting = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      const own = new OwnNotes(context)
      await order.take((slot) => take({ ...context, ...own.parts, slot, isRedone }, item))
      notes[index] = own.notes
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return {
    leftOut: notes.flatMap(({ leftOut }) => leftOut),
    usedFiles: notes.flatMap(({ usedFiles }) => usedFiles),
    found: notes.map(({ found }) => found).reduce(addCounts, noContent),
    made: notes.map(({ made }) => made).reduce(addCounts, noContent),
  }
}

/** The report of one step. */
class OwnNotes {
  readonly parts: Pick<StepContext, 'leftOut' | 'files' | 'countContent'>
  readonly #leftOut: OmittedContent[] = []
  readonly #usedFiles: string[] = []
  #found = noContent
  #made = noContent

  constructor({ archiveFiles }: ImportContext) {
    this.parts = {
      leftOut: this.#leftOut,
      countContent: (found, made) => {
        this.#found = addCounts(this.#found, found)
        this.#made = addCounts(this.#made, made)
      },
      files: {
        upload: (path) => {
          this.#usedFiles.push(path)
          return archiveFiles.upload(path, this.#leftOut)
        },
      },
    }
  }

  get notes(): StepNotes {
    // A substring keeps the whole text in memory, and notes are kept to the end: a copy does not.
    return structuredClone({
      leftOut: this.#leftOut,
      usedFiles: this.#usedFiles,
      found: this.#found,
      made: this.#made,
    })
  }
}
