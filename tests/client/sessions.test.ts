import { expect, it } from 'vitest'
import { createWorkspaceClient, type SessionFrame } from '../../client/src/index.ts'
import { makeAgent } from '../harness/agents.ts'
import { makePage } from '../harness/content.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { proposing, ScriptedAgents } from '../harness/sessions.ts'

/** The client with the running service, whose agent proposes to add a line to a page. */
let pageId = ''
const agents = new ScriptedAgents()
agents.add(
  'Note',
  proposing(() => pageId, 'Low water at six'),
)
const server = await serverOfFile({}, undefined, agents)
const agent_id = await makeAgent(server)
const service = createWorkspaceClient({ baseUrl: server.url, token: TOKEN })

async function lines(): Promise<string[]> {
  const found: string[] = []
  for await (const block of service.blocks.children.list({ block_id: pageId }))
    if ('type' in block && block.type === 'paragraph') found.push(block.paragraph.rich_text[0]?.plain_text ?? '')
  return found
}

it("the client follows an agent's proposal, approves it, and follows the outcome", async () => {
  pageId = await makePage(server.owner)
  const first = await service.sessions.stream({ agent_id, message: 'Note when the water is low' }).collect()
  expect(first.messages).toEqual(['I would write.'])
  expect(first.session?.status).toBe('requires_action')
  expect(await lines()).toEqual([])
  const session_id = first.session?.id ?? ''
  const actions = (first.session?.required_actions ?? []).map(({ action_id }) => ({ action_id, option_id: 'approve' as const }))
  const second = await service.sessions.stream({ session_id, actions }).collect()
  expect(second.session?.status).toBe('completed')
  expect(second.session).not.toHaveProperty('required_actions')
  expect(await lines()).toEqual(['Low water at six'])
  const all = await service.sessions.stream({ session_id, continue_from: '0' }).collect()
  expect(all.events).toEqual([...first.events, ...second.events])
})

it('the client receives every event of a turn once, wherever its connection breaks', async () => {
  pageId = await makePage(server.owner)
  let left = 450
  const breaking = createWorkspaceClient({
    baseUrl: server.url,
    token: TOKEN,
    firstWaitMilliseconds: 0,
    retries: 50,
    // Each connection transfers some bytes and ends, the first one in the middle of a frame.
    fetch: async (request) => {
      const response = await fetch(request)
      const budget = (left += 150)
      let passed = 0
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          controller.enqueue(chunk.subarray(0, budget - passed))
          passed += chunk.length
          if (passed >= budget) controller.error(new Error('cut'))
        },
      })
      return new Response(response.body?.pipeThrough(cut), response)
    },
  })
  const seen: SessionFrame[] = []
  for await (const frame of breaking.sessions.stream({ agent_id, message: 'Note the tide' })) seen.push(frame)
  const sequences = seen.flatMap((frame) => (frame.type === 'event.committed' ? [frame.event.sequence] : []))
  const end = seen.at(-1)
  expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, index) => index + 1))
  expect(end).toMatchObject({ type: 'stream.end', status: 'requires_action', last_sequence: sequences.length })
  expect(seen.filter(({ type }) => type === 'session.snapshot').length).toBeGreaterThan(2)
})
