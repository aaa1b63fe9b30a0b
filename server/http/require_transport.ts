import type { Request } from 'express'
import { ServiceError } from '../kernel/errors.ts'
import type { Exchange } from './exchanges.ts'

/**
 * Step 1b of the chain: requires HTTPS, if configured, and exactly one Host. Behind a trusted proxy, its forwarding headers tell whether
 * the client used HTTPS.
 * @throws ServiceError `invalid_request`
 */
export function requireTransport({ peer }: Pick<Exchange, 'peer'>, request: Request, requiresHttps: boolean): void {
  if (requiresHttps && !peer.isSecure) {
    throw new ServiceError('invalid_request', {
      message:
        'This service is reached by HTTPS only; the request came by plain HTTP. A token that was sent this way may have been read on its way.',
    })
  }
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new ServiceError('invalid_request', { message: 'The Host header of this request is missing.' })
  }
  // Node joins repeated Host headers by `, `, and no host contains a space.
  if (request.headers.host?.includes(' ')) {
    throw new ServiceError('invalid_request', { message: 'The Host header of this request is not one host.' })
  }
}
