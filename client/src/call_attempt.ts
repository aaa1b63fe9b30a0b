import type { OperationId } from '../../generated/operations.ts'
import type { AttemptDetails } from './attempt_details.ts'
import type { Prepared } from './prepare.ts'

/** One attempt to perform a call. */
export class CallAttempt {
  readonly prepared: Prepared
  /** Milliseconds until it times out. */
  readonly timeout: number
  /** See `TokenProvider`. */
  readonly refused: string | undefined
  hasTimedOut: () => boolean = () => false
  /** The request that was sent last. */
  request: Request | undefined
  readonly #number: number
  #sentAt = 0

  constructor(prepared: Prepared, number: number, timeout: number, refused: string | undefined) {
    this.prepared = prepared
    this.#number = number
    this.timeout = timeout
    this.refused = refused
  }

  start(request: Request): void {
    this.request = request
    this.#sentAt = Date.now()
  }

  /** Milliseconds since it started. */
  get milliseconds(): number {
    return Date.now() - this.#sentAt
  }

  get details(): AttemptDetails {
    const { operation } = this.prepared
    // The table of operations has no other ids.
    const id = operation.id as OperationId
    return { operation: id, method: operation.method.toUpperCase(), url: this.request?.url ?? '', attempt: this.#number }
  }

  /** Scheme, host and port of the service. */
  get origin(): string {
    return new URL(this.details.url || this.prepared.options.baseUrl).origin
  }

  /** The bearer token that was sent, if it came from a provider. */
  get providedToken(): string | undefined {
    const { options, input } = this.prepared
    const isProvided = typeof (input.token ?? options.token) === 'function'
    const [scheme, token] = this.request?.headers.get('Authorization')?.split(' ') ?? []
    return isProvided && scheme === 'Bearer' ? token : undefined
  }
}
