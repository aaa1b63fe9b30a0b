import { ServiceError } from '../kernel/errors.ts'
import type { HttpContext } from './http_context.ts'

/**
 * Requires HTTPS, if configured, and exactly one Host. Behind a trusted proxy, its forwarding headers say whether the client used HTTPS.
 * @throws ServiceError `invalid_request`
 */
export function requireTransport({ remote, request }: HttpContext, requiresHttps: boolean): void {
  if (requiresHttps && !remote.isSecure) {
    throw new ServiceError('invalid_request', {
      message:
        'This service requires HTTPS, and this request used plain HTTP. A token that was sent this way may have been intercepted.',
    })
  }
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new ServiceError('invalid_request', { message: 'This request has no Host header.' })
  }
  // Node joins repeated Host headers by `, `. A single host cannot contain a space.
  if (request.headers.host?.includes(' ')) {
    throw new ServiceError('invalid_request', { message: 'The Host header of this request should name exactly one host.' })
  }
}
