import type { BrandedValues } from '../contract/branded_values.ts'
import type { ContractValidator } from '../contract/contract_validator.ts'
import type { RequestParts } from '../contract/places.ts'
import { newestRelease, Translation, type ReleaseDate } from '../versions/index.ts'
import type { CheckedRequest, OperationCall, ReceivedCall } from './perform.ts'
import { takeReadOnlyMembers } from './unchanged_members.ts'

/**
 * Validates a request against the contract. One of an older version is translated into calls of the newest version first.
 * @param branded translates the values of a brand
 * @throws ServiceError `validation_error`, with the places in the request as the caller sent it
 */
export function validateRequest(
  validator: ContractValidator,
  received: ReceivedCall,
  version: ReleaseDate,
  betas: readonly string[],
  branded?: BrandedValues,
): Pick<CheckedRequest, 'calls' | 'translation'> {
  const headers = { 'service-version': version }
  const own = <Call extends ReceivedCall>(call: Call): Call => branded?.ownRequest(call.operation.id, call) ?? call
  if (version === newestRelease)
    return {
      calls: [checkedCall(received.operation, validator.validate(received.operation, own(received), headers, betas))],
      translation: undefined,
    }
  const translation = new Translation(version, received.operation, received)
  const calls = translation.calls.map((call) => {
    try {
      return checkedCall(call.operation, validator.validate(call.operation, own(call), headers, betas, translation.ignoresKey))
    } catch (error) {
      throw translation.relocate(error, call)
    }
  })
  return { calls, translation }
}

function checkedCall(operation: OperationCall['operation'], parts: RequestParts): OperationCall {
  return { operation, ...parts, unchanged: takeReadOnlyMembers(operation, parts.body) }
}
