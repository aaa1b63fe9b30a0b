/**
 * `workspace-service/testing`: the service itself, in the process of a test.
 */
export { ConfigError, type Environment } from '../config.ts'
export { createTestServer, type ServerClock, type TestServer, type TestServerOptions } from './create_test_server.ts'
export type { FaultCode, FaultCondition, FaultEffect, FaultRule } from './faults/fault_rule.ts'
export type { Fault, Faults } from './faults/faults.ts'
export type { Fetch } from './memory_fetch.ts'
export type { Duration } from './test_clock.ts'
export type { TestWorkspace } from './test_workspace.ts'
