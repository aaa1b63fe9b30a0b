import type { ContractValidator } from '../../contract/contract_validator.ts'
import type { Step } from './step.ts'

/** Validates the body of an OAuth client. Its operations have no other parameters. */
export function validateClientCall(validator: ContractValidator): Step {
  return async (_context, call, next) => {
    Object.assign(call, validator.validate(call.operation, { path: {}, query: {}, body: call.body }))
    return next()
  }
}
