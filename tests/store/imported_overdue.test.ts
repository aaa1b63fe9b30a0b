import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { startForming, sweepOutbox } from '../../server/domain/events/start_forming.ts'
import { expireUploads } from '../../server/domain/files/expire.ts'
import { enqueue } from '../../server/domain/shared/jobs/queue.ts'
import { SCHEDULE_KIND, scheduleJob } from '../../server/domain/agents/triggers/jobs.ts'
import { sweepSchedules } from '../../server/domain/agents/triggers/schedule_kind.ts'
import { listSchedules, setSchedule } from '../../server/store/agent_triggers.ts'
import type { Database, Transaction } from '../../server/store/database.ts'
import { insertUpload } from '../../server/store/file_uploads.ts'
import { insertEntries } from '../../server/store/outbox.ts'
import { importWorldOfFile } from '../harness/import_world.ts'

const { id: WORKSPACE } = exampleWorkspace.workspace
const HOUR = 3_600_000
/** An agent with a schedule. */
const AGENT = exampleWorkspace.agents.partsScout
const upload = randomUUID()

/** Makes the agent's schedule due at a time. */
async function makeScheduleOverdue(database: Database, time: number): Promise<void> {
  await database.write(async (db) => {
    await db.run('delete from jobs where kind = ?', SCHEDULE_KIND)
    const [row] = await listSchedules(db, WORKSPACE, AGENT)
    if (!row) throw new Error('no schedule')
    await setSchedule(db, { ...row, next_time: time })
    await enqueue(db, scheduleJob(WORKSPACE, { agentId: AGENT, position: row.position, time }))
  })
}

/** Adds a change that should become an event at a time. */
async function makeChangeOverdue(database: Database, time: number): Promise<void> {
  const details = JSON.stringify({ blocks: [] })
  const entry = {
    entityId: exampleWorkspace.pages.handbook,
    stream: 'window',
    type: 'page.content_updated',
    time,
    details,
  } as const
  await database.write(async (db) => {
    await insertEntries(db, WORKSPACE, [{ ...entry, authorId: exampleWorkspace.people[0].id, listeners: {} }])
    await startForming(db, WORKSPACE, new Set(['window']), time)
  }, WORKSPACE)
}

/** Adds an upload that expires at a time. */
async function makeUploadOverdue(database: Database, time: number): Promise<void> {
  const mode = { mode: 'single_part', status: 'pending', type_is_given: 0, parts_total: null, parts_sent: 0 } as const
  const nothing = { content_type: null, content_length: null, external_url: null, import_result: null }
  const times = { created_time: time, last_edited_time: time, expiry_due: time }
  const row = {
    id: upload,
    actor_id: exampleWorkspace.bot.id,
    actor_kind: 'bot',
    filename: 'x.txt',
    ...mode,
    ...nothing,
    ...times,
  } as const
  await database.write((db) => insertUpload(db, WORKSPACE, row))
}

const { server, now, importIt } = await importWorldOfFile(async (database, time) => {
  await makeScheduleOverdue(database, time - HOUR)
  await makeChangeOverdue(database, time - HOUR)
  await makeUploadOverdue(database, time - HOUR)
})
const { database } = server.service
const one = async (query: string, ...values: string[]): Promise<unknown> =>
  (await database.read((db) => db.get({ value: 'text?' }, query, ...values)))?.value

/** Runs the sweeps that add jobs. */
async function sweepOnce(db: Transaction): Promise<void> {
  for (const work of [sweepSchedules, sweepOutbox, expireUploads]) await work(db, now, 200)
}

it('an import completes while sweeps run, and overdue work of its workspace runs once, afterwards', async () => {
  const before = new Set<unknown>()
  await importIt(async (importing) => {
    await importing.write(sweepOnce)
    await server.service.drainJobs()
    const suspended = await one('select cast(suspended_time as text) as value from workspaces where id = ?', WORKSPACE)
    const begun = await one(
      `select cast(count(*) as text) as value from sessions where trigger_type = 'recurrence' and agent_id = ?`,
      AGENT,
    )
    if (suspended !== null) before.add(begun)
  })
  await database.write(sweepOnce)
  await server.service.drainJobs()
  const sessions = await database.read((db) =>
    db.all(
      { status: 'text', trigger_type: 'text' },
      'select status, trigger_type from sessions where agent_id = ? and updated_time >= ?',
      AGENT,
      now,
    ),
  )
  expect({ sessions, before }).toStrictEqual({
    sessions: [{ status: 'completed', trigger_type: 'recurrence' }],
    before: new Set(['0']),
  })
  expect(await one('select cast(count(*) as text) as value from outbox')).toBe('0')
  expect(await one('select status as value from file_uploads where id = ?', upload)).toBe('expired')
  expect(await one(`select cast(count(*) as text) as value from jobs where state = 'dead'`)).toBe('0')
})
