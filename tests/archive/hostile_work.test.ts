import { describe, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newId } from '../../server/kernel/ids.ts'
import { formedEvent } from '../harness/deliveries.ts'
import type { JsonObject } from '../harness/json.ts'
import { hostileExport } from './support/hostile.ts'

const { added, expectRefusal } = await hostileExport()
const SUBSCRIPTION = newId()
const EVENT = newId()

const entry = (type: string, details: unknown): (() => string) =>
  added('outbox', {
    ...{ stream: 'window', type, time: 0, author_id: exampleWorkspace.people[0].id, listeners: '{}' },
    details: JSON.stringify(details),
  })
const delivery = (changes: object): (() => string) =>
  added('webhook_deliveries', {
    ...{
      subscription_id: SUBSCRIPTION,
      event_id: EVENT,
      event_type: 'page.created',
      activation: 1,
      created_time: 0,
      due_time: 0,
    },
    ...{ attempts: 0, status_code: null, error: null, attempt_time: null, ended_time: null, is_delivered: null },
    event: JSON.stringify({ ...formedEvent(SUBSCRIPTION, EVENT), ...changes }),
  })
const task = (cells: JsonObject): (() => string) =>
  added('async_tasks', {
    ...{
      actor_id: exampleWorkspace.people[0].id,
      operation: 'POST /v1/pages',
      version: newestRelease,
      request: null,
      status: 'failed',
    },
    ...{ result: null, error: null, created_time: 0, finished_time: 0 },
    ...cells,
  })
const call = (cells: JsonObject): (() => string) =>
  added('session_calls', {
    ...{
      turn: 1,
      position: 0,
      call_id: 'a',
      tool: 'read_page',
      kind: 'read',
      arguments: '{}',
      title: null,
      run: 1,
      decision: null,
    },
    ...{ decider_id: null, is_signed_in: 0, metadata: null, result: null, is_error: null, artifact: null },
    ...cells,
  })

describe('import refuses changes, deliveries, tasks and agent calls that the service would not store, and leaves nothing:', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'a change without a type',
      entry('page.sunk', {}),
      /outbox, line 1, details: expected the details of a change of a known type/,
    ],
    ['malformed rows', entry('data_source.content_updated', {}), /outbox, line 1, details\.rows: expected a list, found noth/],
    [
      'a move without a source',
      entry('page.moved', { from: { parentType: 'moon', parentId: newId() } }),
      /outbox, line 1, details\.from\.parentType: expected one of/,
    ],
    [
      'a comment without a page',
      entry('comment.created', { discussionId: newId(), parent: { id: newId(), type: 'page' } }),
      /outbox, line 1, details\.pageId: expected an id, found nothing/,
    ],
    ['an event without a type', delivery({ type: 'page.sunk' }), /webhook_deliveries, line 1, event: expected a WebhookEvent of/],
    ['an event without an author', delivery({ authors: [] }), /event: expected a WebhookEvent of the contract \(/],
    ['an event under another id', delivery({ id: newId() }), /event\.id: expected .+, as its row has it, found "/],
    [
      'an event for another subscription',
      delivery({ subscription_id: newId() }),
      /event\.subscription_id: expected .+, as its row/,
    ],
    [
      'a task without an operation',
      task({ operation: 'POST /v1/moons', request: '{}' }),
      /request: expected the request of an operation/,
    ],
    ['a task without a body', task({ request: '{}' }), /async_tasks, line 1, request\.body: expected a CreatePageRequest of/],
    [
      'a task with an invalid body',
      task({ request: '{"body":{"parent":{"moon":1}}}' }),
      /async_tasks, line 1, request\.body: expected a CreatePageRequest of the contract \(/,
    ],
    [
      'a result of an unknown kind',
      task({ result: '{"object":"moon"}' }),
      /async_tasks, line 1, result: expected a AsyncTaskResult of/,
    ],
    [
      'an error with an unknown code',
      task({ error: '{"object":"error"}' }),
      /async_tasks, line 1, error: expected a AsyncTaskError of/,
    ],
    ['arguments that are a list', call({ arguments: '[]' }), /session_calls, line 1, arguments: expected an object, found \[\]/],
    ['metadata with a number', call({ metadata: '{"a":1}' }), /session_calls, line 1, metadata\.a: expected a text, found 1/],
    ['a result without its type', call({ result: '{}' }), /session_calls, line 1, result\.isError: expected true/],
    [
      'an artifact of an unknown kind',
      call({ artifact: '{"type":"moon"}' }),
      /session_calls, line 1, artifact\.type: expected one of page,/,
    ],
  ])('%s', async (_what, from, message) => {
    await expectRefusal(from(), message)
  })
})
