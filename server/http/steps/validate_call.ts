import { validateRequest } from '../../application/validate_request.ts'
import type { BrandedValues } from '../../contract/branded_values.ts'
import type { ContractValidator } from '../../contract/contract_validator.ts'
import { parseQuery } from '../parse_query.ts'
import { requireFiles } from '../form_parts.ts'
import type { Step } from './step.ts'

interface ValidateDeps {
  readonly validator: ContractValidator
  /** Undefined without a brand. */
  readonly branded: BrandedValues | undefined
}

/** Validates a call against the contract of its version, and translates it to the newest version. */
export function validateCall({ validator, branded }: ValidateDeps): Step {
  return async (context, call, next) => {
    call.query = parseQuery(call.queryText, validator.arrayParameters(call.operation))
    Object.assign(call, validateRequest(validator, context, call, branded))
    requireFiles(call)
    return next()
  }
}
