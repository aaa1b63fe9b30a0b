import { describe, expect, it } from 'vitest'
import { operations, type Capability } from '../../generated/operations.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import type { Caller } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import { exampleCall, ghostPath } from '../harness/every_operation.ts'
import { EVERYTHING } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

/**
 * The capabilities of operations on agents, sessions and meeting notes, in a separate table: a test that reads them from the contract would
 * agree with any change of it.
 */

const server = await serverOfFile()

/** The capability that an operation needs, and its response to a connection that has it but cannot see the named object. */
const rows: readonly (readonly [OperationId, readonly Capability[], number])[] = [
  ['listAgents', ['read_content'], 200],
  ['queryAgents', ['read_content'], 200],
  ['retrieveAgent', ['read_content'], 404],
  ['retrieveAgentInsights', ['read_content'], 404],
  ['updateAgentStatus', ['update_content'], 404],
  ['updateAgentCreditLimit', ['update_content'], 404],
  ['deleteAgent', ['update_content'], 404],
  ['createAgentBatch', ['update_content'], 202],
  ['createSession', ['insert_content'], 404],
  ['cancelSession', ['insert_content'], 404],
  ['retrieveSession', ['read_content'], 404],
  ['querySessions', ['read_content'], 200],
  ['querySessionEvents', ['read_content'], 404],
  ['createMeetingNotes', ['insert_content', 'read_content'], 404],
  ['queryMeetingNotes', ['read_content'], 200],
]

const known = new Map<string, Promise<Caller>>()

/** A connection with exactly these capabilities and no shared content. */
function callerWith(capabilities: readonly Capability[]): Promise<Caller> {
  const key = capabilities.join()
  const caller = known.get(key) ?? makeConnection(server, { capabilities }).then((made) => made.caller)
  known.set(key, caller)
  return caller
}

describe.each(rows)('%s', (id, needed, status) => {
  const call = { ...exampleCall({ ...operations[id], id }), path: ghostPath(operations[id]) }

  it(`${status} with only the capability ${needed.join(' and ')}`, async () => {
    const response = await (await callerWith(needed)).call(id, call)
    expect([response.status, response.body['code']]).toEqual([status, status === 404 ? 'object_not_found' : undefined])
  })

  it.each(needed)('403 without the capability %s', async (missing) => {
    const response = await (await callerWith(EVERYTHING.filter((one) => one !== missing))).call(id, call)
    expect([response.status, response.body]).toMatchObject([
      403,
      { code: 'restricted_resource', additional_data: { required_capability: missing } },
    ])
  })
})
