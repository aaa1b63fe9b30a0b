/** Why a formula does not compile. */
export interface FormulaError {
  /** Words that can follow "should be a formula that compiles: ", without a full stop. */
  readonly message: string
  /** The character at fault, in Unicode code points from 0; the length of the text when something is missing at its end. */
  readonly position: number
}

/** Thrown inside the compiler. `offset` counts UTF-16 units. */
export class FormulaFault extends Error {
  override readonly name = 'FormulaFault'
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Thrown inside an evaluation: the formula has no value that can be given. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
}

/**
 * Thrown by a row whose data is not there yet, after it has noted what to fetch; the caller of `evaluate` fetches and repeats.
 * A list of rows is best evaluated in rounds: all of them, then one fetch of everything noted, until nothing is missing.
 */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded'

  constructor() {
    super('data of the formula has not been fetched')
  }
}

/** What `fault` says, with its offset counted in code points of `text`. */
export function errorOf(fault: FormulaFault, text: string): FormulaError {
  return { message: fault.message, position: [...text.slice(0, fault.offset)].length }
}

/** The words after the path in the answer to a request: `should be a formula that compiles: … (character 12)`. */
export function claimOf(error: FormulaError): string {
  return `should be a formula that compiles: ${error.message} (character ${error.position})`
}
