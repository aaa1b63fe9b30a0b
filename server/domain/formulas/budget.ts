import { Unsupported } from './failures.ts'
import { LIST_LENGTH_MAX, STEPS_MAX, TEXT_LENGTH_MAX } from './limits.ts'

/** UTF-16 units that are copied in the time of one step. */
const UNITS_PER_STEP = 64
const STEPS_PER_MICROSECOND = 20

/**
 * What evaluations may still take. One budget may serve several of them, such as all the formulas of a request.
 * Every method throws Unsupported when there is nothing left or a value grows too large.
 */
export class Budget {
  #steps: number

  /** @param steps of about 50 nanoseconds each */
  constructor(steps = STEPS_MAX) {
    this.#steps = steps
  }

  get stepsLeft(): number {
    return Math.max(0, this.#steps)
  }

  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new Unsupported('the time of the formula is spent')
  }

  /** Does work and pays for it by the time that it took of this thread, whatever else the machine does meanwhile. */
  timed<Result>(work: () => Result): Result {
    const before = process.threadCpuUsage()
    const result = work()
    const { user, system } = process.threadCpuUsage(before)
    this.spend(Math.ceil((user + system) * STEPS_PER_MICROSECOND))
    return result
  }

  /** Pays for a text that is about to be made. @param length in UTF-16 units */
  reserveText(length: number): void {
    if (length > TEXT_LENGTH_MAX) throw new Unsupported('a text of the formula is too long')
    this.spend(Math.ceil(length / UNITS_PER_STEP))
  }

  /** Pays for a text that was made. */
  text(made: string): string {
    this.reserveText(made.length)
    return made
  }

  /** Pays for a list that is about to be made. */
  reserveList(length: number): void {
    if (length > LIST_LENGTH_MAX) throw new Unsupported('a list of the formula is too long')
    this.spend(length)
  }
}
