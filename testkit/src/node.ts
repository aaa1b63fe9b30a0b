/**
 * `workspace-service/testing/node`: a server for the tests of a file, with the test runner of Node.js.
 */
import { after, afterEach } from 'node:test'
import type { TestServer, TestServerOptions } from './create_test_server.ts'
import { servedTests } from './served_tests.ts'

export { assertAgentTurn, assertReceived } from './received.ts'

/** Like `useTestServer` for vitest. */
export function useTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return servedTests(options, { afterEach, afterAll: after })
}
