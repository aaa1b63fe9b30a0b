import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { DatedContract } from '../../../dated_contract.ts'
import { eventFrames } from '../../../event_frames.ts'
import type { RecordValues } from '../example_records.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { findByTitle } from '../run_page.ts'
import type { AcceptedWrite } from '../writer.ts'

const { cancelSession, createSession, querySessionEvents, retrieveSession } = operations

/** Replaces the message of an example that requests a write, because not every agent asks before it writes. */
const HARMLESS = 'Say hello, and change nothing.'

/** Sessions with the named agent, which is asked to write in the page. The sessions remain, because no operation deletes them. */
export const sessionsResource: Resource = {
  async exercise(context) {
    const { agentId, replacements } = context
    if (agentId === undefined) return
    for (const kind of ['agent', 'agent_id']) replacements.setAny(kind, agentId)
    const start = { ...example(context, 'message'), message: HARMLESS }
    const begun = await ask(context, 'a message', start)
    if (!begun) return
    const { id } = begun
    for (const kind of ['session', 'session_id']) replacements.setAny(kind, id)
    await ask(context, 'a second message', { ...example(context, 'session_id', 'message'), session_id: id, message: HARMLESS })
    await follow(context, id)
    await decide(context, id, 'approve')
    await decide(context, id, 'reject')
    await cancel(context, id)
  },

  async clean({ client, runRecords }) {
    for (const id of runRecords.made(createSession.tag)) {
      const path = { session_id: id }
      const { value } = await client.call(retrieveSession, { path })
      if (isObject(value) && OPEN.has(value['status'])) await client.call(cancelSession, { path, body: {} })
    }
  },
}

const UNDER_WAY = ['queued', 'in_progress']
const OPEN: ReadonlySet<unknown> = new Set([...UNDER_WAY, 'requires_action'])

/** The members that distinguish the kinds of requests to a session. */
const MEMBERS = ['session_id', 'message', 'actions', 'continue_from']

/** The example of a request with exactly these members. */
function example({ replacements }: FullRunContext, ...members: string[]): RecordValues {
  const examples = DatedContract.of().requestExamples(createSession)
  const isLike = (body: unknown): boolean =>
    isObject(body) && MEMBERS.every((member) => members.includes(member) === member in body)
  const { value } = replacements.fill(examples.find(([, body]) => isLike(body))?.[1])
  return isObject(value) ? value : {}
}

/**
 * Sends a message, and waits until the turn ends.
 * @returns the session at that time
 */
async function ask(context: FullRunContext, name: string, body: RecordValues): Promise<AcceptedWrite | undefined> {
  // The contract does not say which credits and rights an agent has.
  const accepted = await context.writer.send(createSession, { body }, { name, isCertain: false })
  return accepted && stopped(context, accepted.id)
}

const LOOKS_MAX = 240
const PAUSE_MS = 250

async function stopped({ run, writer }: FullRunContext, id: string): Promise<AcceptedWrite | undefined> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const read = await writer.read(retrieveSession, { path: { session_id: id } })
    if (!read || !UNDER_WAY.includes(String(read.record['status']))) return read
    await sleep(PAUSE_MS)
  }
  run.leaveOut('createSession: the end of a turn', 'it exceeded the time limit of the run')
  return undefined
}

/** Reads all events as a stream, which ends because no turn is running. */
async function follow(context: FullRunContext, id: string): Promise<void> {
  const { writer } = context
  const body = { ...example(context, 'session_id', 'continue_from'), session_id: id, continue_from: '0' }
  const response = await writer.ask(createSession, { body, headers: { accept: 'text/event-stream' } }, 'follow')
  if (!response || response.status !== OK) return
  const frames = eventFrames(response.exchange.responseBody?.toString('utf8') ?? '')
  writer.expect(
    frames[0]?.includes('"session.snapshot"') === true,
    createSession,
    response,
    'frame',
    'does not begin with a snapshot',
  )
  writer.expect(
    frames.at(-1)?.includes('"stream.end"') === true,
    createSession,
    response,
    'frame',
    'does not end with a final event',
  )
}

const OK = 200

/** Has the agent propose a new page inside the run's page, and approves or rejects it. */
async function decide(context: FullRunContext, id: string, option: 'approve' | 'reject'): Promise<void> {
  const { client, runRecords, pageId, title, writer } = context
  const wanted = `${title}, ${option}`
  const actions = await proposal(context, id, wanted)
  if (!actions) return
  const decisions = actions.map((action) => ({ action_id: String(action['action_id']), option_id: option }))
  for (const { action_id: actionId } of decisions) runRecords.allow(actionId)
  const body = { ...example(context, 'session_id', 'actions'), session_id: id, actions: decisions }
  const accepted = await writer.send(createSession, { body }, { name: option, isCertain: true })
  if (!accepted || !(await stopped(context, id))) return
  const isThere = (await findByTitle(client, pageId, wanted)).length > 0
  const text = option === 'approve' ? 'was approved, but does not exist' : 'was rejected, but exists'
  writer.expect(isThere === (option === 'approve'), createSession, accepted.response, 'body.actions', text)
}

/** The agent's proposal when it is asked for a page; undefined unless all of it refers to the run's page. */
async function proposal(context: FullRunContext, id: string, wanted: string): Promise<readonly RecordValues[] | undefined> {
  const { pageId, run, title } = context
  const message = `create page "${wanted}" in "${pageId}" with "Text"`
  const input = await ask(context, 'a message that asks for a page', { session_id: id, message })
  const actions = input?.record['required_actions']
  const proposed = Array.isArray(actions) ? actions.filter(isObject) : []
  // Both the new page and its parent are named by the title.
  const isInside = (action: RecordValues): boolean => String(action['title']).split(title).length > 2
  if (proposed.length > 0 && proposed.every(isInside)) return proposed
  run.leaveOut('createSession: decisions', 'the agent did not propose the requested page')
  return undefined
}

/** Cancels a turn that waits for a decision, identified by one of its events. Canceling again changes nothing. */
async function cancel(context: FullRunContext, id: string): Promise<void> {
  const { runRecords, title, writer } = context
  if (!(await proposal(context, id, `${title}, canceled`))) return
  const path = { session_id: id }
  const sorted = { sorts: [{ property: 'sequence', direction: 'descending' }], page_size: 1 }
  const events = await writer.read(querySessionEvents, { path, body: sorted })
  const results = events?.record['results']
  const [last]: unknown[] = Array.isArray(results) ? results : []
  const eventId = isObject(last) ? String(last['id']) : undefined
  if (eventId !== undefined) runRecords.allow(eventId)
  const bodies = eventId === undefined ? [{}] : [{ event_id: eventId }, {}]
  for (const body of bodies) {
    const accepted = await writer.send(cancelSession, { path, body }, { name: 'a turn that waits', isCertain: true })
    if (accepted)
      writer.expect(
        accepted.record['status'] === 'canceled',
        cancelSession,
        accepted.response,
        'body.status',
        'is not `canceled`',
      )
  }
}
