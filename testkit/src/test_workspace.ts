import { newestRelease } from '../../generated/operations.ts'
import type { CreatedWorkspace } from './create_test_workspace.ts'
import type { Fetch } from '@workspace-service/server/http/memory_fetch.ts'

export interface TestWorkspace extends CreatedWorkspace {
  /** Like the `fetch` of the server, adding the token and the newest version to requests without them. */
  readonly fetch: Fetch
}

/** Adds `fetch` to a workspace. @param send the `fetch` of the server */
export function testWorkspace(created: CreatedWorkspace, send: Fetch): TestWorkspace {
  const usual = { authorization: `Bearer ${created.token}`, 'service-version': newestRelease }
  return {
    ...created,
    fetch: (input, init = {}) => {
      const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
      for (const [name, value] of Object.entries(usual)) if (!headers.has(name)) headers.set(name, value)
      return send(input, { ...init, headers })
    },
  }
}
