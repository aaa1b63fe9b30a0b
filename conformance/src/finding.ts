/** The kind of a finding; `--allow` accepts these names. */
export const rules = {
  'unknown-operation': 'The server responds to a request that is not an operation of the contract.',
  'accepted-request': 'The server accepts a request that the contract refuses.',
  'refused-request': 'The server refuses a request that the contract allows.',
  status: 'The contract does not describe this status.',
  header: 'A header of a response is missing, undeclared or wrong.',
  'media-type': 'The contract does not describe this media type.',
  body: 'The body of a response does not match the contract.',
  effect: 'A request does not have the effect that the contract describes.',
  paging: 'The pages of a list contradict each other.',
} as const

export type FindingRule = keyof typeof rules

/** A request or response that violates the contract at one place. */
export interface Finding {
  readonly rule: FindingRule
  /** Id of the operation, or `-`. */
  readonly operation: string
  /** `body.results[*].type`, `header Retry-After`, `query.page_size`: positions in lists are left out. */
  readonly place: string
  /** Keyword of JSON Schema, or its equivalent. */
  readonly keyword: string
  readonly text: string
}

/** A finding, before its operation is known. */
export type UnattributedFinding = Omit<Finding, 'operation'>
