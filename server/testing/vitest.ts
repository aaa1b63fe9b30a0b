/**
 * `workspace-service/testing/vitest`: a server for the tests of a file, and `expect(server).toHaveReceived(…)`.
 */
import { afterAll, afterEach, expect } from 'vitest'
import type { OperationId } from '../../generated/operations.ts'
import type { TestServer, TestServerOptions } from './create_test_server.ts'
import { matchers, type Received } from './received.ts'
import { servedTests } from './served_tests.ts'

expect.extend(matchers)

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** That the server got such a request. */
    toHaveReceived(operation: OperationId, received?: Received): R
  }
}

/**
 * Starts a server at the head of a test file. Each test finds what stands under the snapshot `start`: the empty server, until the file
 * takes one of this name itself. Rules and journal are cleared behind each test.
 */
export function useTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return servedTests(options, { afterEach, afterAll })
}
