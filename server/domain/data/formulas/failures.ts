export interface FormulaError {
  /** Continues "should be a formula that compiles: ", without a full stop. */
  readonly message: string
  /** The position of the error in Unicode code points from 0; the length of the text if something is missing at its end. */
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

/** Thrown during an evaluation: the formula has no value that can be returned. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
}

/**
 * Thrown by a row whose data is not loaded yet, after noting what to fetch. The caller of `evaluate` fetches it and tries again.
 * Evaluate a list of rows in rounds: all rows, then one fetch of everything noted, until nothing is missing.
 */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded'

  constructor() {
    super('data of the formula has not been fetched')
  }
}

/** The result of an evaluation, or `otherwise` if it has no value that can be returned. */
export function ifSupported<Result, Other>(evaluation: () => Result, otherwise: Other): Result | Other {
  try {
    return evaluation()
  } catch (fault) {
    if (fault instanceof Unsupported) return otherwise
    throw fault
  }
}

/** Converts a fault to an error whose position counts code points of `text`. */
export function errorOf(fault: FormulaFault, text: string): FormulaError {
  return { message: fault.message, position: [...text.slice(0, fault.offset)].length }
}

/** The message after the path in an error response: `should be a formula that compiles: … (character 12)`. */
export function claimOf(error: FormulaError): string {
  return `should be a formula that compiles: ${error.message} (character ${error.position})`
}
