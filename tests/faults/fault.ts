import { workspaces } from '../../scripts/workspaces.ts'

/** A mistake in the server or the contract that tests must detect. */
export interface Fault {
  /** The consequence from the view of those affected. */
  readonly title: string
  /** Path below `server/`, for another package from the root, and for the contract below `spec/`. */
  readonly file: string
  /** Whether it is in `spec/`; then `generated/` is rebuilt with the fault. */
  readonly isInContract?: true
  /** The text to replace, which occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files or folders below `tests/` that run first. All others run only if these do not detect the fault. */
  readonly tests: readonly string[]
  /** Set if only PostgreSQL can detect the fault. */
  readonly engine?: 'postgresql'
  /** Why tests cannot detect it: callers see no difference. Such a fault does not count. */
  readonly equivalent?: string
}

/** A fault without the fields that it shares with others: `[title, find, replace]`. */
type Mistake = readonly [title: string, find: string, replace: string]

/**
 * Faults of one file that the same tests should detect.
 * @param tests run first
 */
export function faultsIn(file: string, tests: readonly string[], mistakes: readonly Mistake[]): Fault[] {
  return mistakes.map(([title, find, replace]) => ({ title, file, find, replace, tests }))
}

/** Like `faultsIn`, of a file below `spec/`: mistakes in facts that tests state independently. */
export function faultsInContract(file: string, tests: readonly string[], mistakes: readonly Mistake[]): Fault[] {
  return faultsIn(file, tests, mistakes).map((fault) => ({ ...fault, isInContract: true }))
}

/** The path of a fault's file from the root of the repository. */
export function pathOf({ file, isInContract }: Fault): string {
  if (isInContract) return `spec/${file}`
  return workspaces.includes(file.split('/')[0] ?? '') ? file : `server/${file}`
}

/**
 * Plants a fault.
 * @throws Error if its text is missing or ambiguous: then the fault must be updated
 */
export function plant(source: string, fault: Fault): string {
  const { find, replace, title } = fault
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`«${title}»: ${pathOf(fault)} holds ${parts.length - 1} places like it`)
  return parts.join(replace)
}
