import { describe, expect, it } from 'vitest'
import type { SettledCall } from '../../server/domain/agents/runtime.ts'
import { callsTools, respondsWith } from '../harness/model_server.ts'
import { messagesOf, model, run, startModelForEach, typesOf } from './support/model_run.ts'

/** Tools at a model endpoint: which tools a model may call, and their results. */

startModelForEach()

describe('tool calls of a model', () => {
  it('for reading run with their arguments, and their results are sent back', async () => {
    model.respond(callsTools({ tool: 'search_workspace', arguments: { terms: ['ferry', 'six'] } }), respondsWith('At six.'))
    const outputs = await run()
    expect(typesOf(outputs)).toEqual(['usage', 'read', 'message', 'usage'])
    const call = outputs.find((output) => output.type === 'read')?.call
    expect(call).toMatchObject({ tool: 'search_workspace', arguments: { terms: ['ferry', 'six'] } })
    const [callOperation, result] = messagesOf(1).slice(-2)
    expect(callOperation).toMatchObject({
      role: 'assistant',
      tool_calls: [{ id: call?.callId, function: { name: 'search_workspace' } }],
    })
    expect(result).toEqual({ role: 'tool', tool_call_id: call?.callId, content: '{"pages":["Ferry"]}' })
  })

  it('for writing wait together for decisions within one step', async () => {
    model.respond(
      callsTools({ tool: 'append_blocks', arguments: { page: 'One' } }, { tool: 'append_blocks', arguments: { page: 'Two' } }),
    )
    const outputs = await run()
    expect(typesOf(outputs)).toEqual(['usage', 'propose', 'propose'])
    const calls = outputs.flatMap((output) => (output.type === 'propose' ? [output.call] : []))
    expect(calls.map(({ arguments: given }) => given)).toEqual([{ page: 'One' }, { page: 'Two' }])
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2)
    expect(model.requests).toHaveLength(1)
  })

  it('get decisions as results, including rejections', async () => {
    const settle = (callId: string, decision: 'approve' | 'reject', content: unknown): SettledCall => ({
      callId,
      tool: 'append_blocks',
      arguments: { page: callId },
      kind: 'write',
      decision,
      result: { isError: decision === 'reject', content },
    })
    model.respond(respondsWith('Done.'))
    await run({ settled: [settle('a', 'approve', { title: 'One' }), settle('b', 'reject', 'whatever the host says')] })
    const results = messagesOf(0).filter(({ role }) => role === 'tool')
    expect(results).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '{"title":"One"}' },
      { role: 'tool', tool_call_id: 'b', content: 'rejected by the user' },
    ])
  })

  it('that are refused immediately return a result like other calls, and the turn continues', async () => {
    model.respond(
      callsTools({ tool: 'append_blocks', arguments: { page: 'Nowhere' } }),
      respondsWith('This page does not exist.'),
    )
    expect(typesOf(await run({}, { refuses: true }))).toEqual(['usage', 'propose', 'message', 'usage'])
    expect(messagesOf(1).at(-1)?.content).toBe('{"error":"Not there."}')
  })

  it.each([
    ['not JSON', '{"terms": ['],
    ['not an object', '"ferry"'],
    ['of another form', { terms: 'ferry' }],
    ['with unknown members', { terms: [], workspace: 'other' }],
  ])('with arguments that are %s get an error twice and do not run, and then the turn fails', async (_what, wrong) => {
    const call = callsTools({ tool: 'search_workspace', arguments: wrong })
    model.respond(call, call, call)
    const outputs = await run()
    expect(typesOf(outputs)).toEqual(['usage', 'usage', 'usage', 'failed'])
    expect(outputs.at(-1)).toMatchObject({ code: 'tool_failed', retryable: false })
    expect(messagesOf(1).at(-1)?.content).toMatch(/^{"error":"(?:Wrong arguments|The arguments should)/)
    model.respond(call, call, callsTools({ tool: 'search_workspace', arguments: { terms: [] } }), respondsWith('At six.'))
    expect(typesOf(await run()).slice(-3)).toEqual(['read', 'message', 'usage'])
  })

  it('never run a tool that is not offered, whatever its name', async () => {
    for (const tool of ['delete_page', '', '../etc', 'x'.repeat(5000), '__proto__']) {
      model.respond(callsTools({ tool, arguments: {} }), respondsWith('Well.'))
      expect(typesOf(await run()), tool).toEqual(['usage', 'message', 'usage'])
      expect(JSON.stringify(messagesOf(model.requests.length - 1).at(-2)?.tool_calls)).toMatch(/"name":"[A-Za-z0-9_-]{1,64}"/)
    }
  })

  it('are impossible without tools, because none are sent', async () => {
    model.respond(respondsWith('Ahoy.'))
    await run({ tools: [] })
    expect(model.requests[0]?.body).not.toHaveProperty('tools')
  })
})
