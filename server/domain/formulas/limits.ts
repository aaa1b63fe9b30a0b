/** What one formula may take, so that none can stall the service. What goes beyond is `unsupported`, or refused when it is written. */

/** Levels of nested brackets, calls and operators in one formula; deeper is refused. */
export const NESTING_MAX = 100

/** Formulas that use formulas, counted from the one that is read. */
export const FORMULA_LEVELS_MAX = 15

/** Data sources that may be crossed by following relations. */
export const DATA_SOURCES_CROSSED_MAX = 10

/** Nesting of all the formulas that are being evaluated at one moment: bounds the stack of the process. */
export const EVALUATION_NESTING_MAX = 1200

/** Steps of one evaluation: about 50 nanoseconds each, so 25 to 50 milliseconds. */
export const STEPS_MAX = 500_000

/** UTF-16 units of one text. */
export const TEXT_LENGTH_MAX = 200_000

/** Elements of one list. */
export const LIST_LENGTH_MAX = 50_000

/** UTF-16 units of a regular expression; a longer one counts as a bad one. */
export const PATTERN_LENGTH_MAX = 1000
