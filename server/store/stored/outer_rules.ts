import type { Form } from './form.ts'

/** The components of the contract whose values are stored. */
export type StoredComponent =
  | 'AgentConnection'
  | 'AgentBatchRequest'
  | 'AgentTrigger'
  | 'AsyncTaskError'
  | 'AsyncTaskResult'
  | 'CreatePageRequest'
  | 'DashboardViewConfig'
  | 'QueryFilter'
  | 'QuerySorts'
  | 'QuickFilters'
  | 'TriggerSchedule'
  | 'UpdatePageMarkdownRequest'
  | 'ViewConfigRequest'
  | 'WebhookEvent'

/** Rules for stored JSON that other modules provide: the contract, and the kinds of jobs. */
export interface OuterRules {
  /** @returns why a value is not valid as a component of the contract; undefined if it is valid */
  readonly problemIn: (component: StoredComponent, value: unknown) => string | undefined
  /**
   * The form of the payload of a job that belongs to a workspace.
   * @returns undefined for a kind that workspaces do not have
   */
  readonly payloadForm: (kind: string, workspaceId: string) => Form | undefined
  /** The form of the details of a change in the outbox. @returns undefined for an unknown type */
  readonly changeForm: (type: string) => Form | undefined
  /** The form of the request of an async task. @returns undefined for an operation that has no tasks */
  readonly taskRequestForm: (operation: string) => Form | undefined
}
