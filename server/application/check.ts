import type { ContractValidator } from '../contract/validator.ts'
import { newestRelease, Translation, type ReleaseDate } from '../versions/index.ts'
import type { CheckedRequest, PlainCall } from './perform.ts'

/**
 * Holds a request against the contract, that of an older version once it has been made into calls of the newest.
 * @throws ServiceError `validation_error`, naming places as the caller wrote them
 */
export function check(
  validator: ContractValidator,
  asked: PlainCall,
  version: ReleaseDate,
  betas: readonly string[],
): Pick<CheckedRequest, 'calls' | 'translation'> {
  const headers = { 'service-version': version }
  if (version === newestRelease)
    return { calls: [{ ...asked, ...validator.validate(asked.operation, asked, headers, betas) }], translation: undefined }
  const translation = new Translation(version, asked.operation, asked)
  const calls = translation.calls.map((call) => {
    try {
      return { ...call, ...validator.validate(call.operation, call, headers, betas, translation.ignoresKey) }
    } catch (error) {
      throw translation.relocate(error, call)
    }
  })
  return { calls, translation }
}
