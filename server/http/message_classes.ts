import type { IncomingMessage as AnyIncomingMessage } from 'node:http'
import type { Express } from 'express'
import { IncomingMessage, ServerResponse } from '../kernel/node_http.ts'

/** The classes from which a server creates its requests and responses. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Classes whose objects have the application's prototypes from the start. Express sets these prototypes on every request and response.
 * Changing the prototype of an object costs as much as the whole chain of checks; setting the current prototype again costs nothing.
 */
export function messageClasses(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends AnyIncomingMessage> extends ServerResponse<Request> {}
  const request: object = Object.setPrototypeOf(AppRequest.prototype, app.request)
  const response: object = Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request, response })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
