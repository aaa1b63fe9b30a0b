import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { everyType, Listening } from '../harness/events.ts'
import { idOf } from '../harness/json.ts'
import { makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { serverOfFile, TestClock } from '../harness/server.ts'
import { StretchMeter } from '../harness/stretches.ts'
import { shortStretches } from './support/short_stretches.ts'
import { UncheckedCaller } from './support/unchecked_caller.ts'
import { worstTexts } from './support/worst_texts.ts'
import { inLongRuns, someRows } from '../harness/long_runs.ts'

/** The most lines that a template may have. */
const LINES = 9_900

const meter = new StretchMeter()
const server = await serverOfFile({}, new TestClock(), undefined, { wrapDatabase: meter.wrapDatabase })
const caller = new UncheckedCaller(server.url)
const lines = 'e\n'.repeat(LINES)
const newPage = async (markdown?: string): Promise<string> => idOf(await caller.call('createPage', { body: { markdown } }))
const requireShort = shortStretches(meter, 'jobs')

/**
 * Waits for the end of all tasks.
 * @throws Error if one has failed
 */
async function ended(): Promise<void> {
  const open = await until(async () => {
    const tasks = await server.service.database.read((db) =>
      db.all({ status: 'text' }, `select status from async_tasks where status <> 'succeeded'`),
    )
    return tasks.every(({ status }) => status === 'failed') ? tasks : undefined
  })
  expect(open).toStrictEqual([])
}

describe('requests do not wait long for a job that is', () => {
  const templates = [
    ['thousands of blocks', lines],
    ['long texts', '**a** _b_ '.repeat(10_000)],
  ] as const
  it.each(someRows(templates))('applying a template of %s', async (what, markdown) => {
    const template = await newPage(markdown)
    await requireShort(`a template of ${what}`, async () => {
      const body = { parent: { page_id: await newPage() }, template: { type: 'template_id', template_id: template } }
      return async () => {
        await caller.call('createPage', { body })
        await ended()
      }
    })
  })

  inLongRuns(it)('creating a page of thousands of blocks', () =>
    requireShort('creating a page', async () => async () => {
      await caller.call('createPage', { body: { markdown: worstTexts['short lines'], allow_async: true } })
      await ended()
    }),
  )

  it('changing the Markdown of a page', () =>
    requireShort('changing Markdown', async () => {
      const page_id = await newPage(lines)
      const content_updates = [{ old_str: 'e', new_str: '**a**', replace_all_matches: true }]
      return async () => {
        const body = { type: 'update_content', update_content: { content_updates }, allow_async: true }
        await caller.call('updatePageMarkdown', { path: { page_id }, body })
        await ended()
      }
    }))

  inLongRuns(it)('copying the template of a connection', async () => {
    const client = await makeClient(server, { templatePageId: await newPage(lines) })
    await requireShort('the template of a connection', async () => {
      const code = await obtainCode(server, client, { takesTemplate: true })
      return async () => {
        const grant = { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI }
        expect((await client.call('createToken', grant)).status).toBe(200)
      }
    })
  })

  inLongRuns(it)('forming the events of a change of thousands of blocks', async () => {
    const listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types: everyType() })
    await requireShort('events', async () => {
      const page_id = await newPage(lines)
      await listening.eventsBy(async () => undefined)
      return () =>
        listening.eventsBy(async () => {
          await caller.call('updatePage', { path: { page_id }, body: { erase_content: true } })
        })
    })
  })
})
