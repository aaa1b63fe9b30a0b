/** One mistake that somebody could make in the server, and that a test has to notice. */
export interface Fault {
  /** What goes wrong, in the words of those whom it would hit. */
  readonly title: string
  /** Below `server/`. */
  readonly file: string
  /** Stands once in the file. */
  readonly find: string
  readonly replace: string
  /** Files or folders of tests, below `tests/`, that are asked first; all others only when these notice nothing. */
  readonly tests: readonly string[]
  /** Where only the other engine can notice it. */
  readonly engine?: 'postgresql'
  /** Why the tests cannot notice it: nothing that a caller could see differs. Such a fault counts for nothing. */
  readonly equivalent?: string
}

/** A fault without what it shares with its neighbours: `[title, find, replace]`. */
type Mistake = readonly [title: string, find: string, replace: string]

/**
 * Faults of one file that the same tests should notice.
 * @param tests asked first
 */
export function faultsIn(file: string, tests: readonly string[], mistakes: readonly Mistake[]): Fault[] {
  return mistakes.map(([title, find, replace]) => ({ title, file, find, replace, tests }))
}

/**
 * Plants a fault.
 * @throws Error when its place is gone or not the only one: the fault has to follow the code
 */
export function plant(source: string, { file, find, replace, title }: Fault): string {
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`«${title}»: server/${file} holds ${parts.length - 1} places like it`)
  return parts.join(replace)
}
