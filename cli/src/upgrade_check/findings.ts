import type { Node } from '@babel/types'
import type { OperationId } from '../../../generated/operations.ts'
import type { ReleaseChangeRow } from '../../../generated/release_changes.ts'
import type { ContractPair } from './contract_pair.ts'
import type { OperationCall } from './tracked_value.ts'

/** A location in the code that a change concerns. */
export interface UpgradeFinding {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The property, value or operation. */
  readonly subject: string
  readonly operation: OperationId | undefined
  /** Whether the newer contract certainly lacks the subject. Otherwise, a person has to look. */
  readonly isCertain: boolean
  readonly change: ReleaseChangeRow | undefined
  /** What to do. */
  readonly advice: string
}

interface Candidate {
  readonly call: OperationCall | undefined
  readonly finding: UpgradeFinding
}

/** Collects the findings of a code base. A certain finding replaces an uncertain one at its location. */
export class UpgradeFindings {
  readonly #pair: ContractPair
  readonly #byLocation = new Map<string, Candidate>()
  /** Ids of the changes that were found in what calls send and receive. */
  readonly #calls = new Map<Node, Set<string>>()

  constructor(pair: ContractPair) {
    this.#pair = pair
  }

  /** Number of calls of operations. */
  get calls(): number {
    return this.#calls.size
  }

  /**
   * Reports a property or value that only the older contract has. @param subjects its name, or the names in an object that no longer fits
   */
  lost(file: string, node: Node, subjects: readonly string[], call: OperationCall | undefined): void {
    const subject = subjects.find((name) => this.#pair.changeOf(name, call?.id)) ?? subjects.join(', ')
    const change = this.#pair.changeOf(subject, call?.id)
    if (call && change) this.#changesOf(call).add(change.id)
    this.#add(file, node, call, { subject, operation: call?.id, isCertain: true, change, advice: adviceOf(change) })
  }

  /** Reports a name that only the older contract has, in code that is not known to concern the service. */
  suspicious(file: string, node: Node, subject: string): void {
    const change = this.#pair.changeOf(subject)
    this.#add(file, node, undefined, { subject, operation: undefined, isCertain: false, change, advice: adviceOf(change) })
  }

  /**
   * Records a call of an operation.
   * @param isWritten whether the code itself contains everything that the call sends
   * @param isRead whether the code uses the response
   */
  called(file: string, node: Node, call: OperationCall, isWritten: boolean, isRead: boolean): void {
    const { id } = call
    this.#changesOf(call)
    const subject = id
    const deprecation = this.#pair.deprecation(id)
    if (this.#pair.isGone(id)) {
      const change = this.#pair.changes.find(({ kind, operations }) => kind === 'availability' && operations.includes(id))
      this.#add(file, node, call, { subject, operation: id, isCertain: true, change, advice: adviceOf(change) })
      return
    }
    if (deprecation) {
      const advice =
        `Deprecated since ${deprecation.since}. ${deprecation.replacement ? `Use ${deprecation.replacement}.` : ''}`.trim()
      this.#add(file, node, call, { subject, operation: id, isCertain: true, change: undefined, advice })
    }
    const { sent, received } = this.#pair.distinct
    for (const change of this.#pair.changes) {
      const isOfCall = change.operations !== 'all' && change.operations.includes(id) && change.kind !== 'availability'
      const concerns = (change.kind !== 'response' && !isWritten) || (change.kind !== 'request' && isRead)
      // Names that occur nowhere else are found wherever they are used.
      const isDistinct = change.names.some((name) => sent.has(name) || received.has(name))
      if (isOfCall && concerns && !isDistinct)
        this.#add(file, node, call, { subject, operation: id, isCertain: false, change, advice: adviceOf(change) })
    }
  }

  /** The findings by location. A change of a call is not reported twice. */
  all(): UpgradeFinding[] {
    return [...this.#byLocation.values()]
      .filter(({ call, finding: { isCertain, change } }) => isCertain || !call || !this.#changesOf(call).has(change?.id ?? ''))
      .map(({ finding }) => finding)
      .toSorted((a, b) => (a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1))
  }

  #changesOf({ node }: OperationCall): Set<string> {
    const known = this.#calls.get(node) ?? new Set()
    this.#calls.set(node, known)
    return known
  }

  #add(
    file: string,
    node: Node,
    call: OperationCall | undefined,
    finding: Omit<UpgradeFinding, 'file' | 'line' | 'column'>,
  ): void {
    const { line = 0, column = 0 } = node.loc?.start ?? {}
    const isOfCall = finding.subject === call?.id
    const key = `${file}:${line}:${column}:${isOfCall ? `${finding.change?.id} ${finding.advice}` : ''}`
    if (finding.isCertain || !this.#byLocation.has(key))
      this.#byLocation.set(key, { call, finding: { file, line, column: column + 1, ...finding } })
  }
}

function adviceOf(change: ReleaseChangeRow | undefined): string {
  if (!change) return 'The newer contract does not have it.'
  const [old, now] = [change.old, change.new].map((text) => text.replace(/\.$/, ''))
  return `${change.about} Before: ${old}. Now: ${now}.`
}
