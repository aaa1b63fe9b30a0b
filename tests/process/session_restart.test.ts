import { join } from 'node:path'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { makeAgent } from '../harness/agents.ts'
import { children, makePage, plainTexts } from '../harness/content.ts'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { inLongRuns, isLongRun } from '../harness/long_runs.ts'
import { killChildren, spawnProcess, testSettings, until, untilListening, type RunningProcess } from '../harness/process.ts'
import { bundled } from '../harness/service_bundle.ts'
import { startTestServer } from '../harness/server.ts'
import { ScriptedAgents } from '../harness/scripted_agents.ts'
import { decision, eventsOf, openStream, outline, stopped, talk, wholeStream } from '../harness/sessions.ts'

let database: TestDatabase | undefined
afterEach(async () => {
  killChildren()
  await database?.drop()
  database = undefined
})

/** An empty deployment with one agent. */
async function deployment(): Promise<{ settings: Record<string, string>; agent: string; page: string }> {
  database = await makeDatabase('none')
  const settings = { DATABASE_URL: database.url, FILES_URL: 'file::temporary:' }
  const server = await startTestServer(settings)
  const agent = await makeAgent(server)
  const page = await makePage(server.owner)
  await server.stop()
  return { settings, agent, page }
}

/** For a process that starts after another was killed: by its clock, the leases of the killed one have ended. */
const AFTER_LEASES = { AHEAD_MS: '13000' }

const SCRIPTED_SERVICE = 'tests/process/support/scripted_service.ts'

async function runScripted(settings: Record<string, string>, halt = ''): Promise<RunningProcess> {
  const NODE_COMPILE_CACHE = join(inject('scratchFolder'), 'compiled')
  // For two starts, bundling would take longer than it saves.
  const program = isLongRun ? await bundled(SCRIPTED_SERVICE) : SCRIPTED_SERVICE
  const all = testSettings({ ...settings, HALT: halt, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE })
  return untilListening(spawnProcess(program, [], all))
}

inLongRuns(describe)('a turn whose process is killed', () => {
  it('continues in another process, and clients that follow again receive each event once', async () => {
    const { settings, agent } = await deployment()
    const first = await runScripted(settings, 'run')
    const stream = await openStream(first.url, { agent_id: agent, message: 'Slow' })
    await until(() => Promise.resolve(stream.committed.some(({ type }) => type === 'agent.message') ? true : undefined), first)
    first.kill('SIGKILL')
    await stream.ended
    expect(stream.frames.at(-1)?.type).not.toBe('stream.end')

    const second = await runScripted({ ...settings, ...AFTER_LEASES })
    const [id, last] = [String(stream.committed[0]?.['session_id']), String(stream.committed.at(-1)?.['id'])]
    const rest = await wholeStream(second.url, { session_id: id, continue_from: last })
    expect(rest.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed' })
    expect(outline([...stream.committed, ...rest.committed])).toStrictEqual([
      'user.message Slow',
      'session.status queued',
      'session.status in_progress',
      'agent.tool_use look',
      'agent.tool_result look',
      'agent.message First.',
      'agent.message Second.',
      'session.status completed',
    ])
    const usage = { total_tokens: 17, input_tokens: 11, output_tokens: 6 }
    expect(rest.committed.at(-1), 'what was used twice is paid for once').toMatchObject({ usage })
    const whole = await wholeStream(second.url, { session_id: id, continue_from: '0' })
    expect(whole.committed).toStrictEqual([...stream.committed, ...rest.committed])
  })

  it('during an approved write: the write happens once', async () => {
    const { settings, agent, page } = await deployment()
    const first = await runScripted(settings, 'write')
    const session = await talk(first.owner, { agent_id: agent, message: 'Write', prompt_context: page })
    const stream = await openStream(first.url, decision(session, 'approve'))
    // The use of the tool is stored with its result, or not at all.
    await until(() => Promise.resolve(stream.frames.some(({ type }) => type === 'event.provisional') ? true : undefined), first)
    first.kill('SIGKILL')
    await stream.ended

    const second = await runScripted({ ...settings, ...AFTER_LEASES })
    expect(await stopped(second.owner, String(session['id']))).toMatchObject({ status: 'completed', tool_call_count: 1 })
    expect(plainTexts(await children(second.owner, page))).toStrictEqual(['a line'])
  })
})

inLongRuns(describe)('a service that stops', () => {
  it('notifies its streams, and a turn continues when the process starts again', async () => {
    const { settings, agent } = await deployment()
    const first = await runScripted(settings, 'run')
    const stream = await openStream(first.url, { agent_id: agent, message: 'Slow' })
    await until(() => Promise.resolve(stream.committed.some(({ type }) => type === 'agent.message') ? true : undefined), first)
    first.kill('SIGTERM')
    await stream.ended
    expect(stream.frames.at(-1)).toMatchObject({
      type: 'stream.error',
      error: { code: 'service_unavailable', retryable: true },
      session_id: stream.committed[0]?.['session_id'],
    })
    expect(await first.ended).toMatchObject({ code: 0 })
    const second = await runScripted(settings)
    const id = String(stream.committed[0]?.['session_id'])
    expect(await stopped(second.owner, id)).toMatchObject({ status: 'completed', message_count: 3 })
  })
})

it('a session can be followed from any process, whichever runs its turn', async () => {
  const { settings, agent } = await deployment()
  const gate = Promise.withResolvers<void>()
  const agents = new ScriptedAgents()
  agents.add('Wait', async function* () {
    yield { type: 'thinking', text: 'Hm.' }
    await gate.promise
    yield { type: 'message', text: 'At last.' }
  })
  const running = await startTestServer(settings, undefined, agents)
  const { body } = await running.owner.call('createSession', { body: { agent_id: agent, message: 'Wait' } })
  const id = String(body['id'])
  await until(async () => ((await eventsOf(running.owner, id)).length === 2 ? true : undefined))
  const beside = await startTestServer(settings)
  const stream = await openStream(beside.url, { session_id: id, continue_from: '0' })
  gate.resolve()
  await stream.ended
  expect(stream.committed.map(({ sequence }) => sequence)).toStrictEqual([1, 2, 3, 5, 6])
  expect(stream.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed' })
  await Promise.all([running.stop(), beside.stop()])
})
