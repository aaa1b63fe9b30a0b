import type { Form } from './form.ts'

/** The components of the contract whose values are stored. */
export type StoredComponent =
  | 'AgentConnection'
  | 'AgentTrigger'
  | 'DashboardViewConfig'
  | 'QueryFilter'
  | 'QuerySorts'
  | 'QuickFilters'
  | 'TriggerSchedule'
  | 'ViewConfigRequest'

/** The rules for stored JSON that others declare: the contract, and the kinds of jobs. */
export interface OuterRules {
  /** @returns why a value is not valid as that component of the contract; undefined if it is */
  readonly problemIn: (component: StoredComponent, value: unknown) => string | undefined
  /** The form of the payload of a job of a workspace. @returns undefined for a kind that no workspace has */
  readonly payloadForm: (kind: string, workspaceId: string) => Form | undefined
}
