import { list, nullable, object, type Form } from './form.ts'
import type { OuterRules, StoredComponent } from './outer_rules.ts'

const PROBLEM_MAX = 200

/** A value that is valid as a component of the contract. */
function component({ problemIn }: OuterRules, name: StoredComponent): Form {
  return (value) => {
    const problem = problemIn(name, value)
    return problem === undefined
      ? undefined
      : { path: '', expected: `a ${name} of the contract (${problem.slice(0, PROBLEM_MAX)})`, found: value }
  }
}

/** The settings of a view of a type. Without any configuration, a view shows nothing of its own. */
export function viewSettingsForm(rules: OuterRules, type: string): Form {
  const written = component(rules, type === 'dashboard' ? 'DashboardViewConfig' : 'ViewConfigRequest')
  const configuration: Form = (value) => {
    const isNone = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    return isNone ? undefined : written({ ...(value as object), type })
  }
  return object({
    filter: nullable(component(rules, 'QueryFilter')),
    sorts: nullable(component(rules, 'QuerySorts')),
    quickFilters: nullable(component(rules, 'QuickFilters')),
    configuration,
  })
}

/** Columns that hold components of the contract, which readers do not check again. */
export function componentForms(rules: OuterRules): Readonly<Record<string, Form>> {
  return {
    'agent_schedules.schedule': component(rules, 'TriggerSchedule'),
    'agents.connections': list(component(rules, 'AgentConnection')),
    'agents.triggers': list(component(rules, 'AgentTrigger')),
  }
}
