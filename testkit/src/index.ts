/**
 * `workspace-service/testing`: the service itself, in the process of a test.
 */
export { ConfigError, type Environment } from '@workspace-service/server/config.ts'
export { createTestServer, type ServerClock, type TestServer, type TestServerOptions } from './create_test_server.ts'
export type { AgentTurn, ScriptedTurn, ScriptStep, TakenStep } from './agents/script.ts'
export { UnknownAgent } from './agents/unknown_agent.ts'
export type { FaultCode, FaultCondition, FaultEffect, FaultRule } from '@workspace-service/server/faults/fault_rule.ts'
export type { Fault, Faults } from '@workspace-service/server/faults/faults.ts'
export type { Har } from './journal/har.ts'
export type { Journal } from './journal/journal.ts'
export type { Check, JournalEntry, Refusal } from './journal/journal_entry.ts'
export type { JournalExample } from './journal/journal_examples.ts'
export type { JournalSeed, LeftOut } from './journal/journal_seed.ts'
export type { ReceivedExpectation } from './journal/received_expectation.ts'
export type { Fetch } from '@workspace-service/server/http/memory_fetch.ts'
export type { Duration } from './test_clock.ts'
export { assertAgentTurn, assertReceived, matchers, type ExpectedTurn, type Received } from './received.ts'
export {
  SeedError,
  type Seed,
  type SeedAgent,
  type SeedDatabase,
  type Seeded,
  type SeedPage,
  type SeedPerson,
  type SeedToken,
} from './seed/seed.ts'
export type { TestWorkspace } from './test_workspace.ts'
