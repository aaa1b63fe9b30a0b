import assert from 'node:assert/strict'
import { at, idOf, isObject, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { wav } from '../../harness/files.ts'
import { methodAt } from '../run.ts'
import type { ServiceProcess } from '../service.ts'
import type { Official } from './official_client.ts'
import { PARTS_SCOUT } from './program.ts'

/** Uses the latest additions: agents, sessions and their streams, meeting notes. */
export async function useAgents(client: Official, page_id: string, service: ServiceProcess): Promise<void> {
  const { run } = client
  if (client.has('agents.query', 'asyncTasks.retrieve')) await run.part('agents', () => manageAgents(client, service))
  if (client.has('sessions.update', 'sessions.stream')) await run.part('sessions', () => talk(client))
  if (client.has('blocks.meetingNotes.create')) await run.part('meeting notes', () => recordMeeting(client, page_id))
}

async function manageAgents(client: Official, service: ServiceProcess): Promise<void> {
  const agent_id = PARTS_SCOUT
  const spare = await service.makeAgent('Spare Hand')
  if (client.has('agents.list'))
    await client.call('agents.list', {}, (list) => assert.ok(resultsOf(list).some(({ id }) => id === spare)))
  await client.all('agents.query', { page_size: 1 })
  await client.call('agents.query', { query: 'parts scout' }, (list) => assert.equal(idOf(resultsOf(list)[0]), agent_id))
  await client.call('agents.retrieve', { agent_id }, (agent) => assert.equal(agent['name'], 'Parts Scout'))
  await client.call('agents.retrieveInsights', { agent_id }, (found) => assert.equal(found['object'], 'agent_insights'))
  await client.call('agents.updateCreditLimit', { agent_id, credit_limit: 400 }, (set) => assert.equal(set['credit_limit'], 400))
  for (const status of ['disabled', 'active'])
    await client.call('agents.updateStatus', { agent_id, status }, (set) => assert.equal(set['status'], status))
  const operations = [
    { action: 'update_credit_limit', agent_id, fields: { credit_limit: 500 } },
    { action: 'update_credit_limit', agent_id, fields: { credit_limit: -1 } },
  ]
  const begun = await client.call('agents.batch', { operations })
  const task = await client.until('asyncTasks.retrieve', { task_id: idOf(begun) }, ({ status }) => status === 'succeeded')
  assert.deepEqual(
    [at(task, 'result', 'results', 0, 'outcome'), at(task, 'result', 'results', 1, 'outcome')],
    ['success', 'error'],
  )
  await client.refused('agents.delete', { agent_id: '00000000-0000-4000-8000-000000000000' }, 'object_not_found')
  await client.call('agents.delete', { agent_id: spare }, (deleted) => assert.equal(deleted['agent_id'], spare))
}

async function talk(client: Official): Promise<void> {
  const session = await client.call('sessions.update', { agent_id: PARTS_SCOUT, message: 'Which keel bolts does Heron need?' })
  await client.until('sessions.retrieve', { session_id: idOf(session) }, ({ status }) => status === 'completed')
  const message = 'create page "Bolt order" with "Eight M20 keel bolts"'
  const proposed = await stream(client, { agent_id: PARTS_SCOUT, message })
  const session_id = textAt(proposed[0], 'session', 'id')
  assert.equal(proposed.at(-1)?.['status'], 'requires_action')
  const read = await client.call('sessions.retrieve', { session_id })
  const actions = [{ action_id: textAt(read, 'required_actions', 0, 'action_id'), option_id: 'approve' }]
  await client.call('sessions.update', { session_id, actions })
  const all = await stream(client, { session_id, continue_from: '0' })
  assert.equal(all.at(-1)?.['status'], 'completed')
  await client.call('sessions.query', { query: 'bolt order', page_size: 5 }, (list) =>
    assert.equal(idOf(resultsOf(list)[0]), session_id),
  )
  await client.call('sessions.queryEvents', { session_id }, (list) =>
    assert.ok(resultsOf(list).some((event) => event['type'] === 'agent.tool_result')),
  )
  const waiting = await stream(client, { session_id, message })
  assert.equal(waiting.at(-1)?.['status'], 'requires_action')
  await client.call('sessions.cancel', { session_id }, (canceled) => assert.equal(canceled['status'], 'canceled'))
  await client.refused('sessions.update', { session_id, actions }, 'conflict_error')
}

/** The frames of a stream: the first is always the session, the last its end. */
async function stream(client: Official, args: object): Promise<JsonObject[]> {
  const frames: JsonObject[] = []
  await client.run.value(
    'sessions.stream',
    async () => {
      for await (const frame of Object(methodAt(client.client, 'sessions.stream')?.(args)))
        if (isObject(frame)) frames.push(frame)
    },
    () => assert.deepEqual([frames[0]?.['type'], frames.at(-1)?.['type']], ['session.snapshot', 'stream.end']),
  )
  return frames
}

async function recordMeeting(client: Official, page_id: string): Promise<void> {
  const made = await client.call('fileUploads.create', {
    mode: 'single_part',
    filename: 'meeting.wav',
    content_type: 'audio/wav',
  })
  const file_upload_id = idOf(made)
  await client.call('fileUploads.send', {
    file_upload_id,
    file: { filename: 'meeting.wav', data: new Blob([wav], { type: 'audio/wav' }) },
  })
  const note = await client.call('blocks.meetingNotes.create', {
    source: { type: 'file_upload', file_upload_id },
    parent: { type: 'page_id', page_id },
    title: 'Planning call',
  })
  // Without a transcription service, the note ends in one of these states.
  await client.until('blocks.retrieve', { block_id: idOf(note) }, (block) =>
    ['notes_ready', 'transcription_failed'].includes(
      String(at(block, client.protocol < '2026-03-11' ? 'transcription' : 'meeting_notes', 'status')),
    ),
  )
  const filter = { operator: 'string_contains', value: { type: 'exact', value: 'planning' } }
  const query = { filter: { operator: 'and', filters: [{ property: 'title', filter }] }, limit: 100 }
  await client.call('blocks.meetingNotes.query', query, (list) =>
    assert.ok(resultsOf(list).some((block) => block['id'] === note['id'])),
  )
}
