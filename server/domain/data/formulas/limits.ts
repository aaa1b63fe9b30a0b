/** Limits that keep formulas from stalling the service. Beyond them, a value is `unsupported` or a written formula is rejected. */

/** The maximum depth of nested brackets, calls and operators in one formula. Deeper formulas are rejected. */
export const NESTING_MAX = 100

/** The maximum depth of formulas that refer to formulas, starting with the one that is read. */
export const FORMULA_LEVELS_MAX = 15

/** The maximum number of data sources that an evaluation may cross by following relations. */
export const DATA_SOURCES_CROSSED_MAX = 10

/** The maximum total nesting depth of all formulas that are being evaluated at a time. It bounds the stack of the process. */
export const EVALUATION_NESTING_MAX = 1200

/** The maximum number of steps of one evaluation: about 50 nanoseconds each, so 25 to 50 milliseconds in total. */
export const STEPS_MAX = 500_000

/** The maximum length of one text, in UTF-16 units. */
export const TEXT_LENGTH_MAX = 200_000

/** The maximum number of elements of one list. */
export const LIST_LENGTH_MAX = 50_000

/** The maximum length of a regular expression, in UTF-16 units. Longer ones are invalid. */
export const PATTERN_LENGTH_MAX = 1000
