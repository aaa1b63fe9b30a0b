/** A charge of one request to a budget. */
export interface Draw {
  readonly key: string
  /** The most requests in a window. */
  readonly quota: number
  /** The length of a window, which begins with the first request after the previous window ended. */
  readonly seconds: number
}

/** The state of a budget: requests counted in the current window, and milliseconds until it ends. */
export interface BudgetWindow {
  readonly used: number
  readonly endsInMs: number
}

export interface Drawn {
  /** False if one of the budgets is used up; in that case none of them was charged. */
  readonly charged: boolean
  /** In the order of the draws. */
  readonly windows: readonly BudgetWindow[]
}

/** Counts requests in fixed windows, across all processes of a deployment. */
export interface Counters {
  /** Charges all of the budgets, or none of them. @throws ServiceError `service_unavailable` if the counts cannot be reached */
  draw(draws: readonly Draw[]): Promise<Drawn>
  close(): Promise<void>
}
