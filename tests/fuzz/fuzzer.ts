import type { Corpus } from './corpus.ts'
import { featuresOfRun, hasNews, resetCounts } from './coverage.ts'
import { minimize } from './minimize.ts'
import { grown, type Material } from './mutations.ts'
import type { FuzzFailure } from './orders.ts'
import type { Random } from './random.ts'
import { Broken, causeOf, type Target } from './target.ts'

export interface FuzzerParts {
  readonly corpus: Corpus
  readonly random: Random
  readonly words: readonly string[]
  /** Called before every run. */
  readonly onRun: (input: string) => void
  readonly onFinding: (finding: FuzzFailure) => void
}

/** Maximum length of a stored input. */
const LENGTH_MAX = 4096
const TIME_MAX_MS = 1000
/** One of this many inputs is made very long. */
const GROWN_ONCE_IN = 400

/** Runs a target with inputs derived from those with new features. */
export class Fuzzer {
  readonly #target: Target
  readonly #parts: FuzzerParts
  readonly #material: Material
  readonly #causes = new Set<string>()
  runs = 0

  constructor(target: Target, parts: FuzzerParts) {
    this.#target = target
    this.#parts = parts
    const { corpus, random, words } = parts
    this.#material = { random, words, other: () => corpus.any(random) }
  }

  get findings(): number {
    return this.#causes.size
  }

  /** Runs the stored inputs. */
  async start(): Promise<void> {
    for (const input of [...this.#target.seeds, ...this.#parts.corpus.saved()]) await this.#try(input, true)
  }

  async runSome(count: number): Promise<void> {
    const { corpus, random } = this.#parts
    for (let left = count; left > 0; left -= 1) {
      const base = corpus.pick(random)
      if (this.#target.growsTo !== undefined && random.once(GROWN_ONCE_IN))
        await this.#try(grown(base, random.below(this.#target.growsTo), this.#material), false)
      else await this.#try(this.#target.mutate(base, this.#material).slice(0, LENGTH_MAX), random.once(8))
    }
  }

  /** @param looksCloser whether to check if it is shorter than others with the same features */
  async #try(input: string, looksCloser: boolean): Promise<void> {
    this.runs += 1
    this.#parts.onRun(input)
    resetCounts()
    const error = await this.#errorOf(input)
    if (error !== undefined) await this.#report(input, error)
    else if (input.length <= LENGTH_MAX && (hasNews() || looksCloser)) this.#parts.corpus.add(input, featuresOfRun())
  }

  async #report(input: string, error: unknown): Promise<void> {
    const cause = causeOf(error)
    if (this.#causes.has(cause)) return
    this.#causes.add(cause)
    const smallest = await minimize(input, async (text) => {
      this.#parts.onRun(text)
      return causeOf(await this.#errorOf(text)) === cause
    })
    const last = (await this.#errorOf(smallest)) ?? error
    this.#parts.onFinding({ cause, input: smallest, report: last instanceof Error ? (last.stack ?? last.message) : String(last) })
  }

  async #errorOf(input: string): Promise<unknown> {
    const milliseconds = await this.#timed(input)
    if (typeof milliseconds !== 'number') return milliseconds.error
    if (milliseconds < TIME_MAX_MS) return undefined
    // The first run may have compiled code or collected garbage.
    const again = [await this.#timed(input), await this.#timed(input)]
    return again.every((time) => typeof time === 'number' && time >= TIME_MAX_MS)
      ? new Broken('takes more than a second')
      : undefined
  }

  /** @returns processor time in milliseconds, or the error */
  async #timed(input: string): Promise<number | { readonly error: unknown }> {
    const start = process.threadCpuUsage()
    try {
      const check = this.#target.check(input)
      if (check) await check
    } catch (error) {
      return { error: error ?? 'nothing' }
    }
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  }
}
