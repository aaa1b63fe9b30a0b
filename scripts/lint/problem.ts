/** A finding. `file` is relative to the project; `line` counts from 1 and is absent if only the file is known. */
export interface Problem {
  readonly tool: 'bundle' | 'format' | 'redocly' | 'spectral' | 'story' | 'unfinished'
  readonly rule: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly file: string
  readonly line?: number
  /** The place in the file, as a path of keys. */
  readonly place: string
}

/** Removes duplicates: an invalid example is found wherever it is used. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
}
