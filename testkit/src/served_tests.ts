import { createTestServer, type TestServer, type TestServerOptions } from './create_test_server.ts'
import { markStart, reset } from './reset.ts'

/** The hooks of a test runner. */
interface Hooks {
  afterEach(work: () => Promise<void>): unknown
  afterAll(work: () => Promise<void>): unknown
}

/** Starts a server for the tests of a file, restores its initial state after each test, and closes it after the last one. */
export async function servedTests(options: TestServerOptions, { afterEach, afterAll }: Hooks): Promise<TestServer> {
  const server = await createTestServer(options)
  await markStart(server)
  afterEach(() => reset(server))
  afterAll(() => server.close())
  return server
}
