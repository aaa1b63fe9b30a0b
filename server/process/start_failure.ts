import { ConfigError } from '../config.ts'
import { ListenError } from '../http/listener.ts'
import { ServiceError } from '../kernel/errors.ts'
import { MissingPackage } from '../kernel/optional_package.ts'
import { maskText } from '../kernel/masking.ts'
import { UnusableDatabase } from '../store/failures.ts'

/** Thrown if a worker could not start for a reason that applies to all workers. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Why the service did not start, for the operator: a message if the reason is known, otherwise the stack. */
export function describeStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (
    error instanceof ConfigError ||
    error instanceof ListenError ||
    error instanceof UnusableDatabase ||
    error instanceof MissingPackage ||
    error instanceof StartError
  )
    return error.message
  if (error instanceof ServiceError) return `${error.message}\n${maskText(reasonOf(error.cause))}`
  return error.stack ?? error.message
}

/** The reason for a failure. A refused connection has one for each address that was tried. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
