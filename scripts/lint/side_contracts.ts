/** Runs the rules that apply to the contracts beside that of the service: the control API of test services, and the console's API. */

import { readSideContract, sideContractRoot, type SideContract } from '../generate/side_contracts.ts'
import type { ContractFiles } from '../generate/files.ts'
import type { ProjectRules } from './project_rules.ts'
import { distinct, type Problem } from './problem.ts'
import type { Locate, Redocly } from './redocly.ts'
import { SourceMap } from '../generate/source_map.ts'

/** Rules that do not apply to these contracts. */
const NOT_APPLICABLE: ReadonlySet<string> = new Set([
  'capabilities', // callers have roles, or all the same rights
  'common-headers', // there is a single version
  'error-set', // there are no tokens, and fewer codes
  'id-parameters', // rules and snapshots have names
  'idempotency-key', // repeating is harmless
  'operation-ids', // some operations are verbs: reset, settle, restore, advance
])

/** The problems of a side contract of the contract whose root file is `root`. */
export async function sideContractProblems(
  root: string,
  name: SideContract,
  files: ContractFiles,
  { redocly, projectRules }: { readonly redocly: Redocly; readonly projectRules: ProjectRules },
): Promise<Problem[]> {
  const [file, document] = [sideContractRoot(root, name), await readSideContract(root, name, files)]
  if (file === undefined || document === undefined) return []
  const sources = new SourceMap(file, files)
  const locate: Locate = (path) => sources.locate(path)
  return distinct([
    ...(await redocly.files(file, files)),
    ...(await projectRules.problems(document, locate)).filter(({ rule }) => !NOT_APPLICABLE.has(rule)),
    ...(await redocly.examples(document, locate)),
  ])
}
