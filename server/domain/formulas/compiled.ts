import type { Code } from './frame.ts'
import type { Reference } from './references.ts'
import type { FormulaType, ResultType } from './types.ts'

/** A formula that may be evaluated on any row of its data source. */
export interface CompiledFormula {
  readonly type: FormulaType
  /** The member of its values in answers; undefined when only the value decides, which filters refuse. */
  readonly resultType: ResultType | undefined
  /** The properties that it names, each once. */
  readonly references: readonly Reference[]
  /** The form to keep: references by id. `renderStored` gives the text back with current names. */
  readonly stored: string
  /** Levels that its evaluation nests. */
  readonly nesting: number
  readonly code: Code
}
