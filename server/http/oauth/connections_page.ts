import type { Authorization } from '../../domain/oauth/index.ts'
import type { Response } from '../../kernel/response.ts'
import { badge, hiddenInputs, rightsOf } from './consent_page.ts'
import { markup, type Html } from './html.ts'
import { pageResponse } from './page.ts'
import { REVOKE_PATH, SIGN_OUT_PATH } from './site_paths.ts'

export interface Notice {
  readonly text: string
  readonly isError: boolean
}

interface ConnectionsView {
  /** The path of the service's address. */
  readonly base: string
  readonly email: string
  readonly formToken: string
  readonly authorizations: readonly Authorization[]
  readonly notice: Notice | undefined
  readonly status: number
}

/** The page of the connections that a person has authorized: their rights, the content shared with them, and a form that revokes access. */
export function connectionsPage(view: ConnectionsView): Response {
  const { base, authorizations, notice, email, formToken, status } = view
  const body = markup`<h1>Connections</h1>
<p class="soft">Programs to which you have given access to your workspaces.</p>
${notice && markup`<p class="${notice.isError ? 'notice' : 'done'}" role="${notice.isError ? 'alert' : 'status'}">${notice.text}</p>`}
${authorizations.length === 0 ? markup`<p>You have not connected anything.</p>` : markup`<ul class="cards">${authorizations.map((each) => connection(view, each))}</ul>`}
<div class="account small-print">
<span>Signed in as ${email}</span>
<form method="post" action="${base}${SIGN_OUT_PATH}">${hiddenInputs({ csrf_token: formToken })}<button class="link">Sign out</button></form>
</div>`
  return pageResponse({ status, title: 'Connections', body })
}

function connection({ base, formToken }: ConnectionsView, authorization: Authorization): Html {
  const { workspaceId, workspaceName, botId, authorizedTime } = authorization
  const { name, capabilities, iconUrl, developerName } = authorization.connection
  const day = new Date(authorizedTime).toISOString().slice(0, 10)
  return markup`<li>
<div class="head">${badge({ name, iconUrl })}<div><h2>${name}</h2>
<p class="small-print">${developerName !== null && `Made by ${developerName}. `}In ${workspaceName ?? 'a workspace without a name'} since <time datetime="${day}">${day}</time>.</p></div></div>
<ul class="rights">${rightsOf({ capabilities })}</ul>
<p class="small-print">${sharedWords(authorization)}</p>
<details><summary>Revoke access<span class="hidden"> of ${name}</span></summary>
<p class="small-print">${name} stops working for you at once. What it wrote stays. To connect it again, start there.</p>
<form method="post" action="${base}${REVOKE_PATH}">
${hiddenInputs({ csrf_token: formToken, workspace_id: workspaceId, bot_id: botId })}
<button class="alarm">Revoke<span class="hidden"> access of ${name}</span></button>
</form></details>
</li>`
}

function sharedWords({ shared, sharedCount, sharesWorkspace }: Authorization): string {
  if (sharesWorkspace) return 'Everything in the workspace is shared with it.'
  if (sharedCount === 0) return 'Nothing is shared with it.'
  const rest = sharedCount - shared.length
  const others = rest > 0 ? [`${rest}${shared.length > 0 ? ' more' : rest === 1 ? ' page' : ' pages'}`] : []
  const names = [...shared.map(({ title }) => `“${title}”`), ...others]
  return `Shared with it: ${new Intl.ListFormat('en').format(names)}, with everything below.`
}
