import { receiveOAuthBody } from '../oauth/oauth_body.ts'
import type { Step } from './step.ts'

/** Receives the body of an OAuth client: JSON, or a form with the same fields. */
export const receiveClientBody: Step = async (context, call, next) => {
  call.body = await receiveOAuthBody(context.request, context.response)
  context.body = call.body
  return next()
}
