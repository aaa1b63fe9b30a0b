/** The trigger types that wait for changes. */
export const changeTypes = [
  'workspace.agent.mentioned',
  'workspace.agent.assigned',
  'workspace.page.created',
  'workspace.comment.created',
] as const
export type ChangeTriggerType = (typeof changeTypes)[number]
