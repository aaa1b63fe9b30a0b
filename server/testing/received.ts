import { AssertionError } from 'node:assert'
import type { OperationId } from '../../generated/operations.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalEntry } from './journal/journal_entry.ts'
import type { ReceivedExpectation } from './journal/received_expectation.ts'

/** What a request should be like and, optionally, how many times it should have been received. */
export type Received = ReceivedExpectation & { readonly times?: number }

interface WithJournal {
  readonly journal: Journal
}

/**
 * Asserts that a test server has received a request.
 * @throws AssertionError listing the requests that it has received
 */
export function assertReceived(server: WithJournal, operation: OperationId, received: Received = {}): void {
  const { pass, message } = matchers.toHaveReceived(server, operation, received)
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: assertReceived })
}

interface Judgement {
  readonly pass: boolean
  message(): string
}

/** Matchers for `expect.extend` in vitest and jest. */
export const matchers = {
  toHaveReceived(server: WithJournal, operation: OperationId, { times, ...expectation }: Received = {}): Judgement {
    const count = server.journal.received(operation, expectation).length
    const wanted = times === undefined ? 'at least one' : String(times)
    return {
      pass: times === undefined ? count > 0 : count === times,
      message: () =>
        [
          `The server received ${count} such ${operation} requests, wanted: ${wanted}. All requests it has received:`,
          ...server.journal.entries.map(lineOf),
        ].join('\n'),
    }
  },
}

function lineOf({ operation, method, path, body, answer, refusal }: JournalEntry): string {
  const outcome = `${answer.status ?? 'no answer'}${refusal === undefined ? '' : ` ${refusal.code}`}`
  return `  ${operation}: ${method} ${path} → ${outcome}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`
}
