import type { TestServer } from './create_test_server.ts'

/** What tests begin with stands under this name. */
const START = 'start'

/** Takes what the server is now as the start. */
export function markStart(server: TestServer): Promise<void> {
  return server.snapshot(START)
}

/** Makes everything as at the start, with neither rules nor a journal. */
export async function reset(server: TestServer): Promise<void> {
  server.faults.clear()
  await server.restore(START)
  server.journal.clear()
}
