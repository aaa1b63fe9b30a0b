import { AdministrationError } from '../../domain/shared/index.ts'
import { ServiceError } from '../../kernel/errors.ts'

/** Turns the refusal of a setting into an error of the request. */
export function refuseSettings(thrown: unknown): never {
  if (!(thrown instanceof AdministrationError)) throw thrown
  throw new ServiceError('validation_error', { message: thrown.message })
}
