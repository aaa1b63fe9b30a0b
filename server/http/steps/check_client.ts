import { requireUsableClient } from '../../domain/people/index.ts'
import type { OAuthClient } from '../../domain/oauth/index.ts'
import type { Step } from './step.ts'

/** Refuses internal and disabled connections. */
export const checkClient: Step<OAuthClient> = async ({ caller }, _call, next) => {
  requireUsableClient(caller)
  return next()
}
