/** A billing period: a calendar month in UTC. In milliseconds since 1970; the end is exclusive. */
interface BillingPeriod {
  readonly start: number
  readonly end: number
}

/** The billing period that contains a time. */
export function billingPeriodOf(now: number): BillingPeriod {
  const time = new Date(now)
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
}
