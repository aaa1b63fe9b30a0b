import { taskRequestForm } from '../domain/async_tasks/request_forms.ts'
import { changeForm } from '../domain/events/change_forms.ts'
import { payloadForm } from '../domain/jobs/payload_forms.ts'
import type { OuterRules } from '../store/stored/outer_rules.ts'

/** The rules for stored JSON of the contract and of jobs. The compiler of the contract is loaded only by commands that need it. */
export async function outerRules(): Promise<OuterRules> {
  const { componentProblem } = await import('../contract/component_problem.ts')
  const problemIn = componentProblem
  return { problemIn, payloadForm, changeForm, taskRequestForm: (operation) => taskRequestForm({ problemIn }, operation) }
}
