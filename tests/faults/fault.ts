import { workspaces } from '../../scripts/workspaces.ts'

/** One mistake that somebody could make in the server or the contract, and that a test has to notice. */
export interface Fault {
  /** What goes wrong, in the words of those whom it would hit. */
  readonly title: string
  /** Below `server/` or, of another package, from the root; below `spec/` if it is in the contract. */
  readonly file: string
  /** Whether it is in `spec/`. What is generated is made anew with it. */
  readonly isInContract?: true
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

/** Like `faultsIn`, of a file below `spec/`: mistakes of facts that tests state by themselves. */
export function faultsInContract(file: string, tests: readonly string[], mistakes: readonly Mistake[]): Fault[] {
  return faultsIn(file, tests, mistakes).map((fault) => ({ ...fault, isInContract: true }))
}

/** The file of a fault, below the root of the repository. */
export function pathOf({ file, isInContract }: Fault): string {
  if (isInContract) return `spec/${file}`
  return workspaces.includes(file.split('/')[0] ?? '') ? file : `server/${file}`
}

/**
 * Plants a fault.
 * @throws Error when its place is gone or not the only one: the fault has to follow the code
 */
export function plant(source: string, fault: Fault): string {
  const { find, replace, title } = fault
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`«${title}»: ${pathOf(fault)} holds ${parts.length - 1} places like it`)
  return parts.join(replace)
}
