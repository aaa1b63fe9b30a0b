import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { ASYNC_TASK, operationName } from '../../server/domain/data/async_tasks/tasks.ts'
import { enqueue } from '../../server/domain/shared/jobs/queue.ts'
import { importProgress, noteImportProgress } from '../../server/domain/administration/unfinished.ts'
import { readPlaces } from '../../server/domain/agents/triggers/read_places.ts'
import { insertTask } from '../../server/store/async_tasks.ts'
import { sql } from '../../server/store/sql.ts'
import { onDamage } from '../../server/store/stored/damage.ts'
import { makeAgent } from '../harness/agents.ts'
import { makePage, text } from '../harness/content.ts'
import { at } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { proposing, ScriptedAgents } from '../harness/scripted_agents.ts'
import { TestClock, serverOfFile } from '../harness/server.ts'
import { decision, stopped, talk, wholeStream } from '../harness/sessions.ts'
import { sweep } from '../harness/sweeps.ts'
import { sessionsOf, settled } from '../harness/triggers.ts'

/** Jobs whose stored text is not JSON, as after a disk fault: each ends once, with a reason, and does not stop other jobs. */

const DAY = 86_400_000
const CUT = '{"cut'
const { id: WORKSPACE } = exampleWorkspace.workspace
const agents = new ScriptedAgents()
let page = ''
agents.add(
  'Propose',
  proposing(() => page, 'one'),
)
agents.add('Twice', async function* ({ settled: { length }, ...rest }, signal) {
  const propose = proposing(() => page, length === 0 ? 'one' : 'two')
  if (length < 2) yield* propose({ ...rest, settled: [] }, signal)
  else yield { type: 'message', text: 'Done.' }
})
const server = await serverOfFile({}, new TestClock(), agents)
const { database } = server.service
const locations: string[] = []
afterAll(onDamage(({ place: location }) => locations.push(location)))

const deadJobs = async (kind: string): Promise<object[]> =>
  database.read((db) =>
    db.all(
      { attempts: 'integer', error: 'text?' },
      sql`select attempts, error from jobs where kind = ${kind} and state = 'dead'`,
    ),
  )

describe('damaged stored values', () => {
  it('an async task fails at its first attempt, with the reason', async () => {
    const id = randomUUID()
    const task = {
      id,
      actorId: exampleWorkspace.bot.id,
      operation: operationName('createPage'),
      version: newestRelease,
      request: CUT,
    }
    await database.write(async (db) => {
      await insertTask(db, WORKSPACE, task, server.clock.now())
      await enqueue(db, { kind: ASYNC_TASK, workspaceId: WORKSPACE, key: id, payload: { id }, dueTime: server.clock.now() })
    })
    const failed = await until(async () => {
      const { body } = await server.owner.call('retrieveAsyncTask', { path: { task_id: id } })
      return body['status'] === 'failed' ? body : undefined
    })
    expect(failed).toMatchObject({ error: { code: 'internal_server_error' } })
    expect(await deadJobs(ASYNC_TASK)).toMatchObject([
      { attempts: 1, error: expect.stringContaining('the request of the task is damaged') as unknown },
    ])
    expect(locations).toContain('async_tasks.request')
  })

  it('a session fails when the stored agent of its turn is damaged', async () => {
    page = await makePage(server.owner)
    const agent = await makeAgent(server)
    const session = await talk(server.owner, { agent_id: agent, message: 'Propose' })
    await database.write((db) => db.run(sql`update session_turns set agent = ${CUT} where workspace_id = ${WORKSPACE}`))
    await server.owner.call('createSession', { body: decision(session, 'reject') })
    expect(await stopped(server.owner, String(session['id']))).toMatchObject({ status: 'failed', error: { code: 'agent_error' } })
    expect(await deadJobs('session turn')).toMatchObject([{ attempts: 1 }])
    expect(locations).toContain('session_turns.agent')
  })

  it.each([
    ['artifact', CUT, []],
    ['artifact', '{"type":"page"}', []],
    ['result', CUT, [{ type: 'page' }]],
    ['metadata', CUT, [{ type: 'page' }]],
    ['arguments', CUT, [{ type: 'page' }]],
  ] as const)(
    'a turn completes with the remaining artifacts when the %s of a call is damaged: %s',
    async (column, damaged, left) => {
      page = await makePage(server.owner)
      const session = await talk(server.owner, { agent_id: await makeAgent(server), message: 'Twice' })
      await server.owner.call('createSession', { body: decision(session, 'approve') })
      const id = String(session['id'])
      const again = await stopped(server.owner, id)
      expect(again['status']).toBe('requires_action')
      locations.length = 0
      const change = `update session_calls set ${column} = ? where session_id = ? and decision = 'approve'`
      expect(await database.write((db) => db.change(change, damaged, id))).toBe(1)
      const { committed } = await wholeStream(server.url, decision(again, 'reject'))
      const { artifacts = [], ...last } = committed.at(-1) ?? {}
      expect(last).toMatchObject({ status: 'completed' })
      expect(artifacts).toMatchObject(left)
      // The metadata of a decision is never read again.
      expect(locations.some((location) => location.startsWith(`session_calls.${column}`))).toBe(column !== 'metadata')
    },
  )

  it.each([CUT, '{"frequency":"day","interval":0}', '{"frequency":"day","interval":1,"timezone":"Moon/Sea"}'])(
    'a schedule with the damaged value %s ends after the due run',
    async (damaged) => {
      const schedule = { frequency: 'day', interval: 1, hour: 6, minute: 0 } as const
      const agent = await makeAgent(server, { triggers: [{ type: 'recurrence', enabled: true, schedule }] })
      await database.write((db) => db.run(sql`update agent_schedules set schedule = ${damaged} where agent_id = ${agent}`))
      for (const _day of [1, 2]) {
        server.clock.advance(DAY)
        await settled(server)
        await sweep(database, server.clock.now())
      }
      expect(await sessionsOf(server, agent)).toHaveLength(1)
      expect(await deadJobs('agent_schedule')).toEqual([])
      expect(locations.some((location) => location.startsWith('agent_schedules.schedule'))).toBe(true)
    },
  )

  it('reads other blocks when a block that may mention an agent is damaged', async () => {
    const agent = await makeAgent(server)
    const mention = { mention: { user: { id: agent } } }
    const lines = ['Hull', 'Keel'].map((line) => ({ paragraph: { rich_text: [mention, text(line)] } }))
    const id = await makePage(server.owner, 'Damaged', undefined, lines)
    await database.write((db) =>
      db.run(sql`update blocks set content = ${`${CUT} ${agent}`} where parent_id = ${id} and content like '%Hull%'`),
    )
    const read = await database.read((db) => readPlaces(db, WORKSPACE, [id], [agent]))
    expect(read.map(({ mentioned }) => mentioned.length).toSorted()).toStrictEqual([0, 0, 1])
    expect(locations).toContain('blocks.content')
  })

  it('200 with the stored response as JSON when the stream stored for an idempotency key is damaged', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { agent_id: await makeAgent(server), message: 'Ahoy' }
    const first = await wholeStream(server.url, body, headers)
    const damaged = JSON.stringify({ 'content-type': 'application/json; charset=utf-8', ':follow': CUT })
    await database.write((db) => db.run(sql`update idempotency_keys set headers = ${damaged}`))
    const repeat = await server.owner.call('createSession', { body, headers })
    expect(repeat.status).toBe(200)
    expect(at(repeat.body, 'id')).toBe(first.committed[0]?.['session_id'])
    expect(locations).toContain('idempotency_keys.headers')
  })

  it('an interrupted import with damaged progress cannot be resumed', async () => {
    const id = randomUUID()
    const progress = await database.write(async (db) => {
      await noteImportProgress(db, id, { table: 3 })
      await db.run(sql`update instance set value = ${`import ${CUT}`} where name = ${`unfinished workspace ${id}`}`)
      return importProgress(db, id)
    })
    expect(progress).toBeUndefined()
  })
})
