import { AssertionError } from 'node:assert'
import type { OperationId } from '../../generated/operations.ts'
import type { AgentTurn } from './agents/script.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalEntry } from './journal/journal_entry.ts'
import { isLike, type ReceivedExpectation } from './journal/received_expectation.ts'

/** The expected content of a request and, optionally, how many times it should have been received. */
export type Received = ReceivedExpectation & { readonly times?: number }

/** The expected content of a turn: as for `ReceivedExpectation`, with the given number of steps. */
export interface ExpectedTurn {
  readonly message?: string | RegExp
  readonly steps?: readonly unknown[]
  readonly sessionId?: string
  readonly turn?: number
  readonly times?: number
}

interface WithTurns {
  readonly agentTurns: readonly AgentTurn[]
}

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

/**
 * Asserts that an agent has begun a turn.
 * @throws AssertionError listing the turns of all agents
 */
export function assertAgentTurn(server: WithTurns, agentId: string, expected: ExpectedTurn = {}): void {
  const { pass, message } = matchers.toHaveAgentTurn(server, agentId, expected)
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: assertAgentTurn })
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
      pass: isWanted(count, times),
      message: () =>
        [
          `Matching ${operation} requests: expected ${wanted}, found ${count}. All requests that the server received:`,
          ...server.journal.entries.map(lineOf),
        ].join('\n'),
    }
  },

  toHaveAgentTurn(server: WithTurns, agentId: string, { times, ...expected }: ExpectedTurn = {}): Judgement {
    const count = server.agentTurns.filter((turn) => turn.agentId === agentId && isLike(turn, expected)).length
    const wanted = times === undefined ? 'at least one' : String(times)
    return {
      pass: isWanted(count, times),
      message: () =>
        [
          `Matching turns of the agent ${agentId}: expected ${wanted}, found ${count}. All turns of agents:`,
          ...server.agentTurns.map((turn) => `  ${JSON.stringify(turn)}`),
        ].join('\n'),
    }
  },
}

function isWanted(count: number, times: number | undefined): boolean {
  return times === undefined ? count > 0 : count === times
}

function lineOf({ operation, method, path, body, response, refusal }: JournalEntry): string {
  const outcome = `${response.status ?? 'no response'}${refusal === undefined ? '' : ` ${refusal.code}`}`
  return `  ${operation}: ${method} ${path} → ${outcome}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`
}
