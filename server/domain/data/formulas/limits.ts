/** Limits that keep formulas from stalling the service. Beyond them, a value is `unsupported` or a written formula is rejected. */

/** Levels of nested brackets, calls and operators in one formula. Deeper ones are rejected. */
export const NESTING_MAX = 100

/** Levels of formulas that refer to formulas, starting with the one that is read. */
export const FORMULA_LEVELS_MAX = 15

/** Data sources that an evaluation may cross by following relations. */
export const DATA_SOURCES_CROSSED_MAX = 10

/** Total nesting of all formulas being evaluated at a time. Bounds the stack of the process. */
export const EVALUATION_NESTING_MAX = 1200

/** Steps of one evaluation: about 50 nanoseconds each, so 25 to 50 milliseconds. */
export const STEPS_MAX = 500_000

/** UTF-16 units of one text. */
export const TEXT_LENGTH_MAX = 200_000

/** Elements of one list. */
export const LIST_LENGTH_MAX = 50_000

/** UTF-16 units of a regular expression. Longer ones are invalid. */
export const PATTERN_LENGTH_MAX = 1000
