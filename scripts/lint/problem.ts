/** A finding. `file` is relative to the project; `line` and `column` count from 1 and are absent if only the file is known. */
export interface Problem {
  readonly tool: 'bundle' | 'format' | 'prose' | 'redocly' | 'spectral' | 'example' | 'workflow' | 'unfinished'
  readonly rule: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** The path in the file, as keys. */
  readonly location: string
}

/** The rule of Redocly for examples. */
export const EXAMPLES_RULE = 'no-invalid-media-type-examples'

/** Removes duplicates: an invalid example is found wherever it is used. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
}
