/**
 * `workspace-service/testing/vitest`: a server for the tests of a file, and `expect(server).toHaveReceived(…)`.
 */
import { afterAll, afterEach, expect } from 'vitest'
import type { OperationId } from '../../generated/operations.ts'
import type { TestServer, TestServerOptions } from './create_test_server.ts'
import { matchers, type ExpectedTurn, type Received } from './received.ts'
import { servedTests } from './served_tests.ts'

expect.extend(matchers)

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Asserts that the server has received a request of the operation. */
    toHaveReceived(operation: OperationId, received?: Received): R
    /** Asserts that the agent has begun a turn as expected. */
    toHaveAgentTurn(agentId: string, expected?: ExpectedTurn): R
  }
}

/**
 * Starts a server for the tests of a file. After each test the snapshot `start` is restored, and fault rules and journal are cleared. That
 * snapshot is the empty server unless the file saves another one with this name.
 */
export function useTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return servedTests(options, { afterEach, afterAll })
}
