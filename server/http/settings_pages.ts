import type { Request, RequestHandler, Response, Router } from 'express'
import { canonicalId } from '../kernel/ids.ts'
import { sendAnswer, type Answer } from './answer.ts'
import { markup, type Html } from './oauth/html.ts'
import { pageAnswer } from './oauth/page.ts'
import type { ChainParts } from './parts.ts'
import { requireTransport } from './transport.ts'

const AGENT_ID = /^[0-9a-f]{32}$/

/**
 * Where errors about credits lead. There is nothing to set on these pages, and nothing of a workspace to see: they say who can set what,
 * and how.
 */
export function serveSettings(app: Router, parts: ChainParts): void {
  const show = (response: Response, request: Request, page: Answer): void => {
    const exchange = parts.traffic.of(response)
    exchange.subject = 'page'
    exchange.requester = 'person'
    requireTransport(exchange, request, parts.requiresHttps)
    sendAnswer(response, page)
  }
  const showAgent: RequestHandler = (request, response, next) => {
    const { id } = request.params
    if (typeof id !== 'string' || !AGENT_ID.test(id)) return next()
    show(response, request, agentPage(canonicalId(id)))
  }
  app.get('/settings/credits', (request, response) => show(response, request, creditsPage()))
  app.get('/settings/agents/:id', showAgent)
}

function creditsPage(): Answer {
  return settingsPage(
    'Credits of the workspace',
    markup`<p>Agents run again when the workspace gets more credits, or when the next calendar month (UTC) begins.</p>
<p>Whoever runs this service sets the credits on its command line, for example:</p>
<p><code>workspace-service workspace update --credits 5000</code></p>`,
  )
}

function agentPage(id: string): Answer {
  return settingsPage(
    'Credit limit of an agent',
    markup`<p>The agent runs again when its limit is raised or taken away, or when the next calendar month (UTC) begins.</p>
<p>Whoever has full access to the agent can do that through the <a href="/docs/">API</a>, which calls it <code>updateAgentCreditLimit</code>;
whoever runs this service can do it on the command line, for example:</p>
<p><code>workspace-service agent update ${id} --credit-limit 800</code></p>`,
  )
}

function settingsPage(title: string, text: Html): Answer {
  return pageAnswer({ title, body: markup`<h1>${title}</h1>\n${text}` })
}
