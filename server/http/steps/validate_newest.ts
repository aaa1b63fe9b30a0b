import type { ContractValidator } from '../../contract/contract_validator.ts'
import { parseQuery } from '../parse_query.ts'
import { requireFiles } from '../form_parts.ts'
import type { Step } from './step.ts'

/** Validates a call against the newest release, without setting aside the read-only members of its body. */
export function validateNewest(validator: ContractValidator): Step {
  return async ({ betas }, call, next) => {
    call.query = parseQuery(call.queryText, validator.arrayParameters(call.operation))
    Object.assign(call, validator.validate(call.operation, call, betas))
    requireFiles(call)
    return next()
  }
}
