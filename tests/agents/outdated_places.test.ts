import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { Attempt, JobFate } from '../../server/domain/shared/jobs/job.ts'
import { changeKind } from '../../server/domain/agents/triggers/change_kind.ts'
import { CHANGE_KIND, type ChangePayload } from '../../server/domain/events/fired_changes.ts'
import { sql } from '../../server/store/sql.ts'
import { makePage, paragraph } from '../harness/content.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const { database } = server.service

const DUE = 1_000_000_000_000

/**
 * Runs the job of a page change.
 * @param meanwhile runs after the page was read
 * @returns the outcome of the job
 */
async function fateOf(page: string, meanwhile: () => Promise<void>): Promise<JobFate> {
  const kind = changeKind({
    database,
    now: () => DUE,
    scopeOf: () => {
      throw new Error('an agent was started')
    },
  })
  const payload: ChangePayload = {
    types: ['workspace.agent.mentioned'],
    changes: [{ kind: 'page.edited', id: page, pageId: page, places: [page] }],
    authorId: randomUUID(),
    causedBy: [],
  }
  const job = { id: randomUUID(), kind: CHANGE_KIND, workspaceId: exampleWorkspace.workspace.id, key: null, payload, attempts: 1 }
  let fate: JobFate = 'held'
  const held = async (): Promise<boolean> => Promise.reject(new Error('not in one transaction with its outcome'))
  const attempt: Attempt = {
    signal: AbortSignal.timeout(60_000),
    finish: held,
    continueAt: held,
    whileHeld: held,
    extend: held,
    settle: async (work) => {
      await meanwhile()
      fate = await database.write(work)
      return true
    },
  }
  await kind.run(job, attempt)
  return fate
}

it('a changed page is read again when one of its blocks is edited or erased during the read', async () => {
  const page = await makePage(server.owner, 'Yard', undefined, [paragraph('Hull'), paragraph('Keel')])
  const change = (statement: ReturnType<typeof sql>) => (): Promise<void> => database.write((db) => db.run(statement))
  expect(await fateOf(page, async () => undefined)).toBeUndefined()
  const edit = sql`update blocks set last_edited_time = last_edited_time + 1 where parent_id = ${page} and content like '%Hull%'`
  expect(await fateOf(page, change(edit))).toBe(DUE)
  const erase = sql`delete from blocks where parent_id = ${page} and content like '%Keel%'`
  expect(await fateOf(page, change(erase))).toBe(DUE)
  expect(await fateOf(page, async () => undefined)).toBeUndefined()
})
