import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** What a server makes its requests and responses of. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Classes whose objects are of the application's kind from the start. Express gives every request and response the application's
 * prototype; to change that of an object costs as much as the whole chain of checks, to set the one that it has costs nothing.
 */
export function messageClasses(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  const request: object = Object.setPrototypeOf(AppRequest.prototype, app.request)
  const response: object = Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request, response })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
