import type { DatabaseAddress } from '../kernel/addresses.ts'

/** What the thread that forms and delivers events starts with. */
export interface WebhookThreadOptions {
  readonly database: DatabaseAddress
  readonly allowedHosts: readonly string[]
  readonly brands: readonly string[]
  /** Trusted certificate authorities: a thread does not inherit those of its process. */
  readonly certificates: readonly string[]
  /** The time, where it is not that of the machine: see `Clock`. */
  readonly sharedTime: Float64Array | undefined
}

/** To the thread: jobs were added, it is to do all that is due and say so, to show that it is not hung, or to stop. */
export type WebhookThreadOrder = 'look' | 'settle' | 'ping' | 'stop'

/** From the thread. */
export interface WebhookThreadReport {
  /** An order that has been carried out. */
  readonly done?: 'settle' | 'ping'
  /** A line of the log, as JSON. */
  readonly line?: string
  /** How many jobs of each kind it is running, whenever that changes. */
  readonly running?: ReadonlyMap<string, number>
}
