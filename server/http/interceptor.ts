import type { Request, Response } from 'express'
import type { Operation } from '../contract/operation.ts'

export type { Request, Response }

/** Sees everything that comes in and goes out, and may interfere: test kits do. */
export interface Interceptor {
  /** A request, before anything else looks at it. Nothing happens to it until `proceed` is called. */
  receive(request: Request, response: Response, proceed: () => void): void
  /** A request whose operation is known, before its credentials are looked at. What is thrown is its failure. */
  onRoute(operation: Operation, request: Request, response: Response): Promise<void>
  /** The same once its token, version and budget are good, where it has them. */
  onAdmission(operation: Operation, request: Request, response: Response): Promise<void>
}
