import type { ReleaseDate } from '../../../generated/types.ts'
import type { CheckState } from './check_state.ts'
import { readCodeBase } from './code_files.ts'
import { ContractPair } from './contract_pair.ts'
import { FileWalk } from './file_walk.ts'
import { UpgradeFindings, type UpgradeFinding } from './findings.ts'

/** The effects of an upgrade on a code base. */
export interface UpgradeReport {
  readonly from: ReleaseDate
  readonly to: ReleaseDate
  readonly files: number
  /** Calls of operations. */
  readonly calls: number
  readonly findings: readonly UpgradeFinding[]
  readonly dates: readonly CodeDate[]
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[]
}

/** A release date that the code names. */
export interface CodeDate {
  readonly file: string
  readonly line: number
  readonly date: string
}

/** How often the code is walked: values pass through this many functions. The last time counts. */
const WALKS = 4

/**
 * Finds what the code below a folder has to change.
 * @param choose the date to upgrade from, by the dates that the code names
 */
export async function checkUpgrade(
  folder: string,
  choose: (dates: readonly string[]) => ReleaseDate,
  to: ReleaseDate,
): Promise<UpgradeReport> {
  const codeBase = await readCodeBase(folder)
  const empty = new ContractPair(to, to)
  const dates = datesIn({ ...stateOf(empty), codeBase })
  const from = choose(dates.map(({ date }) => date))
  const state: CheckState = { ...stateOf(new ContractPair(from, to)), codeBase }
  for (let walk = 0; walk < WALKS; walk += 1) {
    state.findings = new UpgradeFindings(state.pair)
    for (const file of codeBase.files.values()) new FileWalk(state, file).walk()
  }
  const { findings } = state
  return {
    from,
    to,
    files: codeBase.files.size,
    calls: findings.calls,
    findings: findings.all(),
    dates,
    unreadable: codeBase.unreadable,
  }
}

function datesIn(state: CheckState): readonly CodeDate[] {
  for (const file of state.codeBase.files.values()) new FileWalk(state, file).walk()
  return [...state.dates.values()]
}

function stateOf(pair: ContractPair): Omit<CheckState, 'codeBase'> {
  return {
    pair,
    findings: new UpgradeFindings(pair),
    parameters: new Map(),
    returned: new Map(),
    tops: new Map(),
    clients: new Set(),
    dates: new Map(),
  }
}
