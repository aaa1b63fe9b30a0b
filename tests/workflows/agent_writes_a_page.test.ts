import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorkspaceClient, InvalidWebhookError, verifyWebhook, type WorkspaceClient } from '../../client/src/index.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { settle } from '../harness/events.ts'
import { until } from '../harness/process.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'
import { startReceiver, type HookReceiver } from '../harness/webhook_receiver.ts'
import { allowing } from '../harness/webhooks.ts'

/** Written as a test instead of in `spec/workflows`: a workflow there can neither follow a stream nor receive a request. */
let server: TestServer
let receiver: HookReceiver
let service: WorkspaceClient
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer(allowing(receiver))
  service = createWorkspaceClient({ baseUrl: server.url, token: TOKEN })
})
afterAll(async () => {
  await server.stop()
  await receiver.close()
})

/** The links of pages whose titles contain these words. */
async function linksTo(words: string): Promise<string[]> {
  const { results } = await service.search({ query: words.replace('-', ' ') })
  return results.flatMap((hit) => ('url' in hit && hit.url.includes(words) ? [hit.url] : []))
}

it('an agent proposes a page, a person approves it, and a receiver verifies the webhook and reads the page', async () => {
  // The receiver subscribes to new pages. It confirms its verification token by returning it.
  const { id: subscription_id } = await service.webhookSubscriptions.create({
    url: receiver.url(),
    event_types: ['page.created'],
  })
  const first = await until(() => receiver.received[0])
  const verification = await verifyWebhook(first.text, first.headers, undefined)
  if (verification.type !== 'verification') throw new Error(`an event before the token: ${verification.type}`)
  const { verification_token } = verification
  const subscription = await service.webhookSubscriptions.verify({ subscription_id, verification_token })
  expect(subscription.status).toBe('active')

  // The agent makes a proposal. Nothing is written yet.
  const message = 'create page "Bolt order" with "Eight M20 keel bolts"'
  const proposed = await service.sessions.stream({ agent_id: exampleWorkspace.agents.partsScout, message }).collect()
  const [action] = proposed.session?.required_actions ?? []
  expect([proposed.end?.status, action?.title]).toEqual(['requires_action', expect.stringContaining('Bolt order')])
  expect(await linksTo('Bolt-order')).toEqual([])

  // A member approves it, and follows the result.
  const session_id = proposed.session?.id ?? ''
  const actions = [{ action_id: action?.action_id ?? '', option_id: 'approve' as const }]
  const decided = await service.sessions.stream({ session_id, actions }).collect()
  expect(decided.session?.status).toBe('completed')
  const artifacts = decided.events.flatMap((event) => (event.type === 'session.status' ? (event.artifacts ?? []) : []))
  const [url] = await linksTo('Bolt-order')
  expect(artifacts).toEqual([{ type: 'page', title: 'Bolt order', url }])

  // The receiver gets the event, verifies it, and reads the page.
  await settle(server)
  const delivered = await until(() => receiver.events()[0])
  const event = await verifyWebhook(delivered.text, delivered.headers, verification_token)
  if (event.type !== 'page.created') throw new Error(`another event: ${event.type}`)
  expect(event.subscription_id).toBe(subscription_id)
  const page = await service.pages.retrieve({ page_id: event.entity.id })
  expect('url' in page && page.url).toBe(url)
  expect(event.data.parent).toEqual({
    type: 'page',
    id: 'parent' in page && page.parent.type === 'page_id' ? page.parent.page_id : '',
  })
  const { markdown } = await service.pages.markdown.retrieve({ page_id: page.id })
  expect(markdown).toBe('Eight M20 keel bolts')

  // A request that was modified in transit is refused.
  const forged = delivered.text.replace(page.id, exampleWorkspace.pages.handbook)
  expect(forged).not.toBe(delivered.text)
  const refused: unknown = await verifyWebhook(forged, delivered.headers, verification_token).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(InvalidWebhookError)
  expect(refused).toMatchObject({ code: 'wrong_signature' })
})
