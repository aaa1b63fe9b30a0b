import type { RecordedExchange } from './exchange.ts'
import type { Finding } from './finding.ts'
import { FindingLog, type FindingGroup } from './finding_log.ts'
import { checkExchange, type ExchangeCheck } from './check_exchange.ts'
import type { BrandForms } from './brand_forms.ts'
import type { RunResult } from './report/run_result.ts'

/** The exchanges of one run of a command, and their findings. */
export class Run {
  readonly #log: FindingLog
  readonly #operations: Record<string, number> = {}
  readonly #notCovered: Record<string, string> = {}
  readonly #command: string
  readonly #target: string
  readonly forms: BrandForms | undefined
  #exchanges = 0
  #uncheckedBodies = 0

  /** @param forms translates data of a brand's deployment */
  constructor(
    command: string,
    target: string,
    allowed: readonly string[] = [],
    onNew?: (group: FindingGroup) => void,
    forms?: BrandForms,
  ) {
    this.#command = command
    this.#target = target
    this.forms = forms
    this.#log = new FindingLog(allowed, onNew)
  }

  checkExchange(recorded: RecordedExchange): ExchangeCheck {
    const exchange = this.forms ? this.forms.exchange(recorded) : recorded
    const check = checkExchange(exchange, this.forms)
    const name = check.operation?.id ?? '-'
    this.#operations[name] = (this.#operations[name] ?? 0) + 1
    this.#exchanges += 1
    if (check.hasUncheckedBody) this.#uncheckedBodies += 1
    this.#log.add(check.findings, exchange)
    return check
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
      unjudgedBodies: this.#uncheckedBodies,
      operations: { ...this.#operations },
      notCovered: { ...this.#notCovered },
      findings: this.#log.groups,
    }
  }
}
