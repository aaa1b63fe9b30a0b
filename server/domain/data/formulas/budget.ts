import { Unsupported } from './failures.ts'
import { LIST_LENGTH_MAX, STEPS_MAX, TEXT_LENGTH_MAX } from './limits.ts'

/**
 * One step pays for creating this many UTF-16 units of text. Copying them takes less time, but every function that reads the text takes
 * more: a formula may create about four million units, twenty texts of the maximum length.
 */
const UNITS_PER_STEP = 8
/** One step pays for examining this many UTF-16 units of text, one by one. */
const COMPARED_PER_STEP = 8
const STEPS_PER_MICROSECOND = 20

/**
 * The remaining budget of one or more evaluations, such as all formulas of a request.
 * Every method throws Unsupported when the budget is exhausted or a value grows too large.
 */
export class Budget {
  #steps: number

  /** @param steps each takes about 50 nanoseconds */
  constructor(steps = STEPS_MAX) {
    this.#steps = steps
  }

  get stepsLeft(): number {
    return Math.max(0, this.#steps)
  }

  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new Unsupported('the formula exceeded its limit of steps')
  }

  /** Runs work and charges the CPU time that it took on this thread, regardless of the load on the machine. */
  timed<Result>(work: () => Result): Result {
    const before = process.threadCpuUsage()
    const result = work()
    const { user, system } = process.threadCpuUsage(before)
    this.spend(Math.ceil((user + system) * STEPS_PER_MICROSECOND))
    return result
  }

  /** Charges for a text that is about to be created. @param length in UTF-16 units */
  reserveText(length: number): void {
    if (length > TEXT_LENGTH_MAX) throw new Unsupported('a text of the formula is too long')
    this.spend(Math.ceil(length / UNITS_PER_STEP))
  }

  /** Charges for examining a text that is compared, searched or parsed. @param length in UTF-16 units */
  readText(length: number): void {
    this.spend(Math.ceil(length / COMPARED_PER_STEP))
  }

  /** Charges for a text that was created. */
  text(made: string): string {
    this.reserveText(made.length)
    return made
  }

  /** Charges for a list that is about to be created. */
  reserveList(length: number): void {
    if (length > LIST_LENGTH_MAX) throw new Unsupported('a list of the formula is too long')
    this.spend(length)
  }
}
