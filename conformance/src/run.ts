import type { RecordedExchange } from './exchange.ts'
import type { Finding } from './finding.ts'
import { FindingLog, type FindingGroup } from './finding_log.ts'
import { judge, type Judgement } from './judge.ts'
import type { OwnForms } from './own_forms.ts'
import type { RunResult } from './report/run_result.ts'

/** The exchanges of one run of a command, and their findings. */
export class Run {
  readonly #log: FindingLog
  readonly #operations: Record<string, number> = {}
  readonly #notCovered: Record<string, string> = {}
  readonly #command: string
  readonly #target: string
  readonly forms: OwnForms | undefined
  #exchanges = 0
  #unjudgedBodies = 0

  /** @param forms translates data of a brand's deployment */
  constructor(
    command: string,
    target: string,
    allowed: readonly string[] = [],
    onNew?: (group: FindingGroup) => void,
    forms?: OwnForms,
  ) {
    this.#command = command
    this.#target = target
    this.forms = forms
    this.#log = new FindingLog(allowed, onNew)
  }

  /** Checks an exchange against the contract. */
  judge(recorded: RecordedExchange): Judgement {
    const exchange = this.forms ? this.forms.exchange(recorded) : recorded
    const judgement = judge(exchange, this.forms)
    const name = judgement.operation?.id ?? '-'
    this.#operations[name] = (this.#operations[name] ?? 0) + 1
    this.#exchanges += 1
    if (judgement.hasUnjudgedBody) this.#unjudgedBodies += 1
    this.#log.add(judgement.findings, exchange)
    return judgement
  }

  /** Adds a finding that the contract alone cannot show. */
  report(finding: Finding, exchange: RecordedExchange): void {
    this.#log.add([finding], exchange)
  }

  /** Records why an operation was not covered. */
  leaveOut(operation: string, reason: string): void {
    this.#notCovered[operation] = reason
  }

  /** Findings that count against the maximum. */
  get total(): number {
    return this.#log.total
  }

  get result(): RunResult {
    return {
      command: this.#command,
      target: this.#target,
      exchanges: this.#exchanges,
      unjudgedBodies: this.#unjudgedBodies,
      operations: { ...this.#operations },
      notCovered: { ...this.#notCovered },
      findings: this.#log.groups,
    }
  }
}
