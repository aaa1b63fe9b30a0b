import { BrandedValues } from '../../server/contract/branded_values.ts'
import { sharedValidator } from '../../server/contract/contract_validator.ts'
import { bearerTokenIn, isBasic, requireClientCredentials } from '../../server/domain/people/index.ts'
import type { HeaderNames } from '../../server/http/header_names.ts'
import { setOAuthHeaders } from '../../server/http/oauth/send_oauth_error.ts'
import { checkAccept } from '../../server/http/steps/check_accept.ts'
import { readClientVersion } from '../../server/http/steps/read_client_version.ts'
import { readIdempotencyKey } from '../../server/http/steps/read_idempotency_key.ts'
import { readVersion } from '../../server/http/steps/read_version.ts'
import { receiveBodyInMemory } from '../../server/http/steps/receive_body_in_memory.ts'
import { receiveClientBody } from '../../server/http/steps/receive_client_body.ts'
import { composeChain, type Chain, type Step } from '../../server/http/steps/step.ts'
import { validateCall } from '../../server/http/steps/validate_call.ts'
import { validateClientCall } from '../../server/http/steps/validate_client_call.ts'

/** The steps of the service that need no stored data, in the same order. Any token, and any client id and secret, is accepted. */
export function mockChains(
  headers: HeaderNames,
  perform: Step,
): Readonly<Record<'bearer' | 'connection' | 'client' | 'none', Chain>> {
  const validator = sharedValidator()
  const api = composeChain({
    accept: checkAccept,
    authenticate: acceptToken,
    version: readVersion(headers),
    body: receiveBodyInMemory,
    idempotencyKey: readIdempotencyKey,
    validate: validateCall({ validator, branded: BrandedValues.of(headers.brands.at(-1)) }),
    perform,
  })
  const client = composeChain({
    accept: checkAccept,
    authenticate: acceptClient,
    version: readClientVersion(headers),
    body: receiveClientBody,
    validate: validateClientCall(validator),
    perform,
  })
  return { bearer: api, connection: api, client, none: composeChain({ accept: checkAccept, perform }) }
}

const acceptToken: Step = async ({ request }, { operation }, next) => {
  const { authorization } = request.headers
  if (operation.credentials !== 'connection' || !isBasic(authorization)) bearerTokenIn(authorization)
  return next()
}

const acceptClient: Step = async ({ request, response }, _call, next) => {
  setOAuthHeaders(response)
  requireClientCredentials(request.headers.authorization)
  return next()
}
