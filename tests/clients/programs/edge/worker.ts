import { createWorkspaceClient, InvalidWebhookError, verifyWebhook, type WorkspaceClient } from '../../../../client/src/index.ts'

/** Bindings that the runtime passes to the worker. */
export interface Environment {
  readonly SERVICE: string
  readonly TOKEN: string
  readonly PARENT: string
  readonly AGENT: string
}

/** Calls of the client in an edge runtime, by name: each throws if it fails. */
const calls: Readonly<Record<string, (service: WorkspaceClient, environment: Environment) => Promise<void>>> = {
  async 'createPage, each'(service, { PARENT }) {
    const children = ['11:40', '23:55'].map((content) => ({ paragraph: { rich_text: [{ text: { content } }] } }))
    const page = await service.pages.create({ parent: { page_id: PARENT }, children })
    let count = 0
    for await (const _block of service.blocks.children.list({ block_id: page.id, page_size: 1 })) count += 1
    if (count !== 2) throw new Error(`${count} blocks`)
  },

  async stream(service, { AGENT }) {
    const turn = service.sessions.stream({ agent_id: AGENT, message: 'Which bolts?' })
    const { session, messages } = await turn.collect()
    if (session?.status !== 'completed' || messages.length !== 1) throw new Error(`${session?.status}: ${messages.join()}`)
  },

  async verifyWebhook() {
    const token = 'secret_4kTqZ8mVb2Xn7RcYp1LsWd9Hf3GjUa6EoQiKyMtBvNx'
    const signature = 'sha256=385afc31582edc482ed695efee3fd716ac26572b1d9c3c9aed670c4589b28373'
    const body = '{"id":"5b0f5f6e-1f0a-4a3e-9a4e-8c2d6c1b7a10","type":"page.created"}'
    const headers = new Headers({ 'X-Service-Signature': signature })
    const { type } = await verifyWebhook(new TextEncoder().encode(body), headers, token)
    if (type !== 'page.created') throw new Error(type)
    const refused: unknown = await verifyWebhook(`${body} `, headers, token).catch((error: unknown) => error)
    if (!(refused instanceof InvalidWebhookError) || refused.code !== 'wrong_signature') throw new Error('a forgery was taken')
  },
}

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1))
    if (name === '') return Response.json(Object.keys(calls))
    const { SERVICE: baseUrl, TOKEN: token } = environment
    try {
      await calls[name]?.(createWorkspaceClient({ baseUrl, token, headerBrand: 'Notion', retries: 0 }), environment)
      return new Response()
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}
