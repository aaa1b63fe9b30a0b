import { describe, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { payloadForms } from '../../server/domain/workspace_archive/payload_forms.ts'
import { newId } from '../../server/kernel/ids.ts'
import type { JsonObject } from '../harness/json.ts'
import { hostileExport } from './support/hostile.ts'

const { added, edited, expectRefusal, other } = await hostileExport()
const AGENT = exampleWorkspace.agents.partsScout
const HOURLY = { frequency: 'hour', interval: 1 }

function job(kind: string, payload: JsonObject): () => string {
  const state = { job_key: null, state: 'waiting', due_time: 0, attempts: 0, claim: null, again_time: null, error: null }
  return added('jobs', { ...state, kind, payload: JSON.stringify(payload), interruptions: 0 })
}

const JOB = String.raw`jobs, line \d+, payload`

describe('import refuses forged jobs, and leaves nothing:', () => {
  it.each(Object.keys(payloadForms))('%s without a payload', async (kind) => {
    await expectRefusal(job(kind, {})(), new RegExp(String.raw`${JOB}\.\w+: expected .+, found nothing`))
  })

  it.each<[string, () => string, string]>([
    ['an unknown kind', job('root_shell', { id: AGENT }), ': expected the payload of a kind of job that workspaces have'],
    ['a recurring kind', job('sweep_files', {}), ': expected the payload of a kind of job that workspaces have'],
    ['an id that is a path', job('file_import', { id: '../x' }), String.raw`\.id: expected an id, found "\.\./x"`],
    [
      'an unknown limit',
      job('session limit', { sessionId: AGENT, limit: 'sky', turn: 1, run: 1 }),
      String.raw`\.limit: expected one of`,
    ],
    ['an unknown stream', job('form_events', { stream: 'sea' }), String.raw`\.stream: expected one of at_once`],
    [
      'an unknown kind of change',
      job('agent_change', {
        types: [],
        changes: [{ kind: 'x', id: AGENT, pageId: AGENT, places: [] }],
        authorId: AGENT,
        causedBy: [],
      }),
      String.raw`\.changes\[0\]\.kind: expected one of page\.created`,
    ],
  ])('%s', async (_what, from, message) => {
    await expectRefusal(from(), new RegExp(JOB + message))
  })

  it('a delivery of the webhook of another workspace', async () => {
    const from = job('webhook_delivery', { homeId: other(), subscriptionId: newId() })()
    await expectRefusal(
      from,
      new RegExp(String.raw`${JOB}\.homeId: expected ${exampleWorkspace.workspace.id}, found "${other()}"`),
    )
  })
})

/** An agent with these triggers. */
const triggers = (...all: readonly JsonObject[]): (() => string) =>
  edited(
    'agents',
    (row) => (row['triggers'] = JSON.stringify(all)),
    (row) => row['id'] === AGENT,
  )
const schedule = (of: JsonObject): (() => string) =>
  added('agent_schedules', {
    agent_id: AGENT,
    position: 0,
    anchor_time: 0,
    next_time: null,
    runs: 0,
    schedule: JSON.stringify(of),
  })
const agent = (column: string, value: unknown): (() => string) => edited('agents', (row) => (row[column] = JSON.stringify(value)))

describe('import refuses agents with settings that requests cannot store, and leaves nothing:', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'a trigger without a type',
      triggers({ enabled: true }),
      /agents, line \d+, triggers\[0\]: expected a AgentTrigger of the contract \(/,
    ],
    [
      'a trigger that is neither enabled nor disabled',
      triggers({ type: 'recurrence', enabled: 'maybe' }),
      /triggers\[0\]: .*\/enabled must be boolean/,
    ],
    [
      'a trigger every 0 hours',
      triggers({ type: 'recurrence', enabled: true, schedule: { ...HOURLY, interval: 0 } }),
      /triggers\[0\]: .*\/schedule\/interval must be >= 1/,
    ],
    [
      'a schedule every 0 hours',
      schedule({ ...HOURLY, interval: 0 }),
      /agent_schedules, line \d+, schedule: expected a TriggerSchedule of the contract \(\/interval must be >= 1/,
    ],
    [
      'a schedule at 25 o’clock',
      schedule({ ...HOURLY, hour: 25 }),
      /agent_schedules, line \d+, schedule: .*\/hour must be <= 23/,
    ],
    [
      'a schedule without an agent',
      () =>
        added('agent_schedules', {
          agent_id: newId(),
          position: 0,
          anchor_time: 0,
          next_time: null,
          runs: 0,
          schedule: JSON.stringify(HOURLY),
        })(),
      /agent_schedules, line \d+, agent_id: expected the id of a row of agents/,
    ],
    ['an icon of an unknown kind', agent('icon', { type: 'moon' }), /agents, line 1, icon\.type: expected one of emoji/],
    [
      'a connection of an unknown kind',
      agent('connections', [{ type: 'moon' }]),
      /agents, line 1, connections\[0\]: expected a AgentConnection of/,
    ],
  ])('%s', async (_what, from, message) => {
    await expectRefusal(from(), message)
  })
})
