import type { Node } from '@babel/types'
import type { CodeBase } from './code_files.ts'
import type { ContractPair } from './contract_pair.ts'
import type { UpgradeFindings } from './findings.ts'
import type { CodeScope } from './code_scope.ts'
import type { TrackedValue } from './tracked_value.ts'

/** The state of the check of a code base. The check walks the code several times, because a function may be called before it is known. */
export interface CheckState {
  readonly pair: ContractPair
  readonly codeBase: CodeBase
  findings: UpgradeFindings
  /** The values that functions are called with. */
  readonly parameters: Map<Node, (TrackedValue | undefined)[]>
  /** The values that functions return. */
  readonly returned: Map<Node, TrackedValue | undefined>
  /** The names at the top of each file. */
  readonly tops: Map<string, CodeScope>
  /** Code of values that have methods of a client, such as `this.service`. */
  readonly clients: Set<string>
  /** Release dates in the code. */
  readonly dates: Map<string, { readonly file: string; readonly line: number; readonly date: string }>
}
