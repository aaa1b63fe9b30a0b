import { AssertionError } from 'node:assert'
import type { OperationId } from '../../generated/operations.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalEntry } from './journal/journal_entry.ts'
import type { ReceivedExpectation } from './journal/received_expectation.ts'

/** What should have come; how many times, where that matters. */
export type Received = ReceivedExpectation & { readonly times?: number }

interface WithJournal {
  readonly journal: Journal
}

/**
 * Asserts that a test server got a request.
 * @throws AssertionError listing what it got instead
 */
export function assertReceived(server: WithJournal, operation: OperationId, received: Received = {}): void {
  const { pass, message } = matchers.toHaveReceived(server, operation, received)
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: assertReceived })
}

interface Judgement {
  readonly pass: boolean
  message(): string
}

/** For `expect.extend` of vitest and jest. */
export const matchers = {
  toHaveReceived(server: WithJournal, operation: OperationId, { times, ...expectation }: Received = {}): Judgement {
    const count = server.journal.received(operation, expectation).length
    const wanted = times === undefined ? 'at least one' : String(times)
    return {
      pass: times === undefined ? count > 0 : count === times,
      message: () =>
        [
          `${operation} came ${count} times as expected (${wanted}). The server has got:`,
          ...server.journal.entries.map(lineOf),
        ].join('\n'),
    }
  },
}

function lineOf({ operation, method, path, body, answer, refusal }: JournalEntry): string {
  const outcome = `${answer.status ?? 'no answer'}${refusal === undefined ? '' : ` ${refusal.code}`}`
  return `  ${operation}: ${method} ${path} → ${outcome}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`
}
