import type { ContractValidator } from '../contract/contract_validator.ts'
import { newestRelease, Translation, type ReleaseDate } from '../versions/index.ts'
import type { CheckedRequest, OperationCall } from './perform.ts'

/**
 * Validates a request against the contract. One of an older version is translated into calls of the newest version first.
 * @throws ServiceError `validation_error`, with the places in the request as the caller sent it
 */
export function validateRequest(
  validator: ContractValidator,
  received: OperationCall,
  version: ReleaseDate,
  betas: readonly string[],
): Pick<CheckedRequest, 'calls' | 'translation'> {
  const headers = { 'service-version': version }
  if (version === newestRelease)
    return {
      calls: [{ ...received, ...validator.validate(received.operation, received, headers, betas) }],
      translation: undefined,
    }
  const translation = new Translation(version, received.operation, received)
  const calls = translation.calls.map((call) => {
    try {
      return { ...call, ...validator.validate(call.operation, call, headers, betas, translation.ignoresKey) }
    } catch (error) {
      throw translation.relocate(error, call)
    }
  })
  return { calls, translation }
}
