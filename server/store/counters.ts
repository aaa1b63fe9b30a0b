/** One request's share of a budget. */
export interface Draw {
  readonly key: string
  /** Requests in a window. */
  readonly quota: number
  /** Length of a window, which begins with the first request of an idle key. */
  readonly seconds: number
}

/** The state of a budget: requests counted in the present window, and milliseconds until it ends. */
export interface BudgetWindow {
  readonly used: number
  readonly endsInMs: number
}

export interface Drawn {
  /** False when one of the budgets is used up: then none of them was charged. */
  readonly charged: boolean
  /** In the order of the draws. */
  readonly windows: readonly BudgetWindow[]
}

/** Counts requests in fixed windows, for every process of a deployment together. */
export interface Counters {
  /** @throws ServiceError `service_unavailable` when the counts cannot be reached */
  draw(draws: readonly Draw[]): Promise<Drawn>
  close(): Promise<void>
}
