/**
 * `workspace-service/testing/jest`: the same as for vitest, with the globals of jest.
 */
import type { OperationId } from '../../generated/operations.ts'
import type { TestServer, TestServerOptions } from './create_test_server.ts'
import { matchers, type ExpectedTurn, type Received } from './received.ts'
import { servedTests } from './served_tests.ts'

declare global {
  // Merges with the declaration in `@types/jest`.
  namespace jest {
    interface Matchers<R> {
      /** Asserts that the server has received a request of the operation. */
      toHaveReceived(operation: OperationId, received?: Received): R
      /** Asserts that the agent has begun a turn as expected. */
      toHaveAgentTurn(agentId: string, expected?: ExpectedTurn): R
    }
  }
}

/** The globals of jest that are used here. */
interface JestGlobals {
  readonly expect: { extend(added: typeof matchers): void }
  afterEach(work: () => Promise<void>): void
  afterAll(work: () => Promise<void>): void
}

/** Like `useTestServer` for vitest. @throws Error without the globals of jest */
export function useTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { expect, afterEach, afterAll }: Partial<JestGlobals> & typeof globalThis = globalThis
  if (!expect || !afterEach || !afterAll)
    throw new Error('The globals of Jest are missing. Import this in a test of Jest, with injectGlobals.')
  expect.extend(matchers)
  return servedTests(options, { afterEach, afterAll })
}
