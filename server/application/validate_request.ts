import type { BrandedValues } from '../contract/branded_values.ts'
import type { ContractValidator } from '../contract/contract_validator.ts'
import type { RequestParts } from '../contract/locations.ts'
import { newestRelease, Translation } from '../versions/index.ts'
import type { Call, ValidCall } from './call.ts'
import type { Context } from './context.ts'
import { takeReadOnlyMembers } from './unchanged_members.ts'

/**
 * Validates a call against the contract. A call of an older version is translated into calls of the newest version first.
 * @param branded translates the values of a brand
 * @throws ServiceError `validation_error`, with the paths of the request as the caller sent it
 */
export function validateRequest(
  validator: ContractValidator,
  { version, betas }: Pick<Context, 'version' | 'betas'>,
  call: Call,
  branded?: BrandedValues,
): Pick<Call, 'validated' | 'translation'> {
  const own = <Received extends Pick<Call, 'operation' | 'path' | 'query' | 'body'>>(received: Received): Received =>
    branded?.ownRequest(received.operation.id, received) ?? received
  if (version === newestRelease)
    return {
      validated: [validCall(call.operation, validator.validate(call.operation, own(call), betas))],
      translation: undefined,
    }
  const translation = new Translation(version, call.operation, call)
  const validated = translation.calls.map((newer) => {
    try {
      return validCall(newer.operation, validator.validate(newer.operation, own(newer), betas, translation.ignoresKey))
    } catch (error) {
      throw translation.relocate(error, newer)
    }
  })
  return { validated, translation }
}

function validCall(operation: Call['operation'], { path, query, body }: RequestParts): ValidCall {
  return { operation, path, query, body, unchanged: takeReadOnlyMembers(operation, body) }
}
