import { list, members, nullable, object, type Form } from './form.ts'
import type { OuterRules, StoredComponent } from './outer_rules.ts'

const PROBLEM_MAX = 200

/** The form of values that are valid as a component of the contract. */
export function componentForm({ problemIn }: Pick<OuterRules, 'problemIn'>, name: StoredComponent): Form {
  return (value) => {
    const problem = problemIn(name, value)
    return problem === undefined
      ? undefined
      : { path: '', expected: `a ${name} of the contract (${problem.slice(0, PROBLEM_MAX)})`, found: value }
  }
}

/** The form of the settings of a view of a type. If a view has no configuration, it shows no content. */
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

/**
 * The form of a stored event that waits for its attempts. Each attempt adds its own number; the row contains the subscription, id and type.
 */
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

/** The forms of columns that contain components of the contract, which readers do not check again. */
export function componentForms(rules: OuterRules): Readonly<Record<string, Form>> {
  return {
    'agent_schedules.schedule': componentForm(rules, 'TriggerSchedule'),
    'async_tasks.error': componentForm(rules, 'AsyncTaskError'),
    'async_tasks.result': componentForm(rules, 'AsyncTaskResult'),
    'agents.connections': list(componentForm(rules, 'AgentConnection')),
    'agents.triggers': list(componentForm(rules, 'AgentTrigger')),
  }
}
