import { taskRequestForm } from '@workspace-service/server/domain/workspace_archive/request_forms.ts'
import { changeForm } from '@workspace-service/server/domain/events/change_forms.ts'
import { payloadForm } from '@workspace-service/server/domain/workspace_archive/payload_forms.ts'
import type { OuterRules } from '@workspace-service/server/store/stored/outer_rules.ts'

/** The rules for stored JSON of the contract and of jobs. The compiler of the contract is loaded only by commands that need it. */
export async function outerRules(): Promise<OuterRules> {
  const { componentProblem } = await import('@workspace-service/server/contract/component_problem.ts')
  const problemIn = componentProblem
  return { problemIn, payloadForm, changeForm, taskRequestForm: (operation) => taskRequestForm({ problemIn }, operation) }
}
