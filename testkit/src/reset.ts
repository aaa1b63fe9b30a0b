import type { TestServer } from './create_test_server.ts'

/** The name of the snapshot that tests begin with. */
const START = 'start'

/** Makes the current state of the server its initial state. */
export function markStart(server: TestServer): Promise<void> {
  return server.snapshot(START)
}

/** Restores the initial state, and clears fault rules and journal. */
export async function reset(server: TestServer): Promise<void> {
  server.faults.clear()
  await server.restore(START)
  server.journal.clear()
}
