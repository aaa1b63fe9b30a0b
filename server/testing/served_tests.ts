import { createTestServer, type TestServer, type TestServerOptions } from './create_test_server.ts'

/** The hooks of a test runner. */
interface Hooks {
  afterEach(work: () => Promise<void>): unknown
  afterAll(work: () => Promise<void>): unknown
}

/** What each test begins with stands under this name. */
const START = 'start'

/** Starts a server for the tests of a file, restores its initial state after each test, and closes it after the last one. */
export async function servedTests(options: TestServerOptions, { afterEach, afterAll }: Hooks): Promise<TestServer> {
  const server = await createTestServer(options)
  await server.snapshot(START)
  afterEach(async () => {
    server.faults.clear()
    await server.restore(START)
    server.journal.clear()
  })
  afterAll(() => server.close())
  return server
}
