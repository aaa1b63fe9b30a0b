import { changeForm } from '@workspace-service/server/domain/events/index.ts'
import type { OuterRules } from '@workspace-service/server/store/stored/outer_rules.ts'

/** The rules for stored JSON of the contract and of jobs. They and the compiler of the contract are loaded only by commands that need them. */
export async function outerRules(): Promise<OuterRules> {
  const { componentProblem } = await import('@workspace-service/server/contract/component_problem.ts')
  const { payloadForm, taskRequestForm } = await import('@workspace-service/server/domain/workspace_archive/index.ts')
  const problemIn = componentProblem
  return { problemIn, payloadForm, changeForm, taskRequestForm: (operation) => taskRequestForm({ problemIn }, operation) }
}
