/** Runs the rules that apply to the control API of test services, which is not part of the service's own contract. */

import { controlRoot, readControl } from '../generate/control.ts'
import type { ContractFiles } from '../generate/files.ts'
import type { ProjectRules } from './project_rules.ts'
import { distinct, type Problem } from './problem.ts'
import type { Locate, Redocly } from './redocly.ts'
import { SourceMap } from '../generate/source_map.ts'

/** Rules that do not apply to the control API. */
const NOT_APPLICABLE: ReadonlySet<string> = new Set([
  'capabilities', // all callers have the same rights
  'common-headers', // there is a single version
  'error-set', // there are no credentials, rate limits or overload
  'id-parameters', // rules and snapshots have names
  'idempotency-key', // repeating is harmless
  'operation-ids', // some operations are verbs: reset, settle, restore, advance
])

/** The problems of the control API beside the contract whose root file is `root`. */
export async function controlProblems(
  root: string,
  files: ContractFiles,
  { redocly, projectRules }: { readonly redocly: Redocly; readonly projectRules: ProjectRules },
): Promise<Problem[]> {
  const [file, document] = [controlRoot(root), await readControl(root, files)]
  if (file === undefined || document === undefined) return []
  const sources = new SourceMap(file, files)
  const locate: Locate = (path) => sources.locate(path)
  return distinct([
    ...(await redocly.files(file, files)),
    ...(await projectRules.problems(document, locate)).filter(({ rule }) => !NOT_APPLICABLE.has(rule)),
    ...(await redocly.examples(document, locate)),
  ])
}
