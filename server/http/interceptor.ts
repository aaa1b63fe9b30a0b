import type { Request, Response } from 'express'
import type { Operation } from '../contract/operation.ts'

export type { Request, Response }

/** Observes and may change the handling of requests, for test kits. */
export interface Interceptor {
  /** Whether requests may inject faults by a `Prefer` header, which pages of other origins may then send. */
  readonly takesPrefer: boolean
  /** Called first for each request. The request is handled only when `proceed` is called. */
  receive(request: Request, response: Response, proceed: () => void): void
  /**
   * Runs work that is not part of a request: an attempt of a job, the response to a malformed request.
   * @param name identifies the work; it is the same in every run of the service
   */
  readonly runBackground?: <T>(name: string, work: () => T) => T
  /** Called when the operation of a request is known, before authentication. An error that it throws becomes the response. */
  onRoute(operation: Operation, request: Request, response: Response): Promise<void>
  /**
   * Like `onRoute`, but called once the token, the version and the rate limit have been checked. Not called for OAuth endpoints and the
   * consent page.
   */
  onAdmission(operation: Operation, request: Request, response: Response): Promise<void>
}
