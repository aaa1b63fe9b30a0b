import type { RequestHandler, Router } from 'express'
import { canonicalId } from '../kernel/ids.ts'
import type { Response } from '../kernel/response.ts'
import { markup, type Html } from './oauth/html.ts'
import { pageResponse } from './oauth/page.ts'
import { basePath } from './oauth/site_paths.ts'
import type { Dependencies } from './dependencies.ts'
import { sendPage } from './send_page.ts'

const AGENT_ID = /^[0-9a-f]{32}$/

/**
 * Serves the pages to which errors about credits link. They need no sign-in, show nothing about a workspace and change nothing: they
 * explain who can raise a limit, and how.
 */
export function serveSettings(app: Router, deps: Dependencies): void {
  const showAgent: RequestHandler = (request, response, next) => {
    const { id } = request.params
    if (typeof id !== 'string' || !AGENT_ID.test(id)) return next()
    sendPage(deps, response, agentPage(basePath(deps.baseUrl()), canonicalId(id)))
  }
  app.get('/settings/credits', (_request, response) => sendPage(deps, response, creditsPage()))
  app.get('/settings/agents/:id', showAgent)
}

function creditsPage(): Response {
  return settingsPage(
    'Credits of the workspace',
    markup`<p>Agents run again when the workspace gets more credits, or when the next calendar month (UTC) begins.</p>
<p>The operator of this service sets the credits on its command line, for example:</p>
<p><code>workspace-service workspace update --credits 5000</code></p>`,
  )
}

function agentPage(base: string, id: string): Response {
  return settingsPage(
    'Credit limit of an agent',
    markup`<p>The agent runs again when its limit is raised or removed, or when the next calendar month (UTC) begins.</p>
<p>Anyone with full access to the agent can change the limit through the <a href="${base}/docs/">API</a>, with <code>updateAgentCreditLimit</code>.
The operator of this service can change it on the command line, for example:</p>
<p><code>workspace-service agent update ${id} --credit-limit 800</code></p>`,
  )
}

function settingsPage(title: string, text: Html): Response {
  return pageResponse({ title, body: markup`<h1>${title}</h1>\n${text}` })
}
