/**
 * `workspace-service/testing/jest`: as that for vitest, by the globals of jest.
 */
import type { OperationId } from '../../generated/operations.ts'
import type { TestServer, TestServerOptions } from './create_test_server.ts'
import { matchers, type Received } from './received.ts'
import { servedTests } from './served_tests.ts'

declare global {
  // As `@types/jest` declares it, so that the matcher joins the others.
  namespace jest {
    interface Matchers<R> {
      /** That the server got such a request. */
      toHaveReceived(operation: OperationId, received?: Received): R
    }
  }
}

/** What jest adds to the globals of a test. */
interface JestGlobals {
  readonly expect: { extend(added: typeof matchers): void }
  afterEach(work: () => Promise<void>): void
  afterAll(work: () => Promise<void>): void
}

/** As `useTestServer` of vitest. @throws Error outside of jest */
export function useTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { expect, afterEach, afterAll }: Partial<JestGlobals> & typeof globalThis = globalThis
  if (!expect || !afterEach || !afterAll) throw new Error('There are no globals of jest here; it runs with injectGlobals.')
  expect.extend(matchers)
  return servedTests(options, { afterEach, afterAll })
}
