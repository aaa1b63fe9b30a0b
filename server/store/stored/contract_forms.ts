import { list, members, nullable, object, type Form } from './form.ts'
import type { OuterRules, StoredComponent } from './outer_rules.ts'

const PROBLEM_MAX = 200

/** A value that is valid as a component of the contract. */
export function componentForm({ problemIn }: Pick<OuterRules, 'problemIn'>, name: StoredComponent): Form {
  return (value) => {
    const problem = problemIn(name, value)
    return problem === undefined
      ? undefined
      : { path: '', expected: `a ${name} of the contract (${problem.slice(0, PROBLEM_MAX)})`, found: value }
  }
}

/** The settings of a view of a type. A view without any configuration shows no content. */
export function viewSettingsForm(rules: OuterRules, type: string): Form {
  const written = componentForm(rules, type === 'dashboard' ? 'DashboardViewConfig' : 'ViewConfigRequest')
  const configuration: Form = (value) => {
    const isNone = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    return isNone ? undefined : written({ ...(value as object), type })
  }
  return object({
    filter: nullable(componentForm(rules, 'QueryFilter')),
    sorts: nullable(componentForm(rules, 'QuerySorts')),
    quickFilters: nullable(componentForm(rules, 'QuickFilters')),
    configuration,
  })
}

/** A stored event that waits for its attempts. Each attempt adds its number; subscription, id and type are in its row. */
export function waitingEventForm(rules: OuterRules, cell: (column: string) => string): Form {
  const event = componentForm(rules, 'WebhookEvent')
  const own = { id: cell('event_id'), type: cell('event_type'), subscription_id: cell('subscription_id') }
  return (value) => {
    const mismatch = members(value) ?? event({ ...(value as object), attempt_number: 1 })
    if (mismatch) return mismatch
    const found = value as Readonly<Record<string, unknown>>
    const [name, expected] = Object.entries(own).find(([key, one]) => found[key] !== one) ?? []
    return name === undefined ? undefined : { path: `.${name}`, expected: `${expected}, as its row has it`, found: found[name] }
  }
}

/** Columns that hold components of the contract, which readers do not check again. */
export function componentForms(rules: OuterRules): Readonly<Record<string, Form>> {
  return {
    'agent_schedules.schedule': componentForm(rules, 'TriggerSchedule'),
    'async_tasks.error': componentForm(rules, 'AsyncTaskError'),
    'async_tasks.result': componentForm(rules, 'AsyncTaskResult'),
    'agents.connections': list(componentForm(rules, 'AgentConnection')),
    'agents.triggers': list(componentForm(rules, 'AgentTrigger')),
  }
}
