import { isPicture } from '../../domain/administration/index.ts'
import type { PickerItem, PickerResults, AuthorizationRequest } from '../../domain/oauth/index.ts'
import { markup, type Html } from './html.ts'
import { AUTHORIZE_PATH, CONNECTIONS_PATH, CONTROLS_PATH, SIGN_OUT_PATH } from './site_paths.ts'
import { rightsInWords } from './rights_in_words.ts'

type Client = AuthorizationRequest['client']

/** Everything that the consent page shows. */
export interface ConsentView {
  /** The path of the service's address. */
  readonly base: string
  readonly request: AuthorizationRequest
  readonly email: string
  readonly formToken: string
  readonly workspaces: readonly { readonly id: string; readonly name: string }[]
  readonly workspace: { readonly id: string; readonly name: string }
  readonly search: string
  readonly picks: readonly PickerItem[]
  readonly results: PickerResults
  /** The title of the template page, or undefined. */
  readonly template: string | undefined
  readonly takesTemplate: boolean
  /** The problem with the form as it was last submitted. */
  readonly notice: string | undefined
}

export function consentTitle({ request, workspace }: ConsentView): string {
  return `${request.client.name} asks for access to ${workspace.name}`
}

export function consentBody(view: ConsentView): Html {
  const { base, request, workspace, formToken, notice } = view
  const { client } = request
  return markup`<div class="parties" aria-hidden="true">${badge(client)}<span class="dots">•••</span><span class="badge plain">${initialOf(workspace.name)}</span></div>
<h1>${consentTitle(view)}</h1>
${developer(client)}
${notice !== undefined && markup`<p class="notice" role="alert" id="notice">${notice}</p>`}
<section aria-labelledby="rights">
<h2 id="rights">${client.name} will be able to</h2>
<ul class="rights">${rightsOf(client)}</ul>
</section>
<form method="post" action="${base}${AUTHORIZE_PATH}">
${hiddenInputs({ ...requestFields(request), csrf_token: formToken })}
${workspaceChooser(view)}
${view.template === undefined ? pickerOnly(view) : pickerOrTemplate(view, view.template)}
<footer>
<button type="submit" name="decision" value="cancel">Cancel</button>
<button type="submit" name="decision" value="allow" class="main">Allow</button>
</footer>
</form>
<div class="account small-print">
<span>Signed in as ${view.email}</span>
<form method="post" action="${base}${SIGN_OUT_PATH}">${hiddenInputs({ csrf_token: formToken })}<button class="link">Sign out</button></form>
</div>
<p class="small-print">After your decision you return to ${new URL(request.redirectUri).host}. The connection keeps its access until you or an owner of the workspace revoke it: you can do so under <a href="${base}${CONNECTIONS_PATH}">Connections</a>.</p>`
}

/** An authorization request as fields of a form or a query. */
export function requestFields(request: AuthorizationRequest): Record<string, string> {
  return {
    client_id: request.client.clientId ?? '',
    ...(request.redirectUriSent ? { redirect_uri: request.redirectUri } : {}),
    response_type: 'code',
    owner: 'user',
    ...(request.state === undefined ? {} : { state: request.state }),
    ...(request.codeChallenge === undefined ? {} : { code_challenge: request.codeChallenge, code_challenge_method: 'S256' }),
  }
}

export function hiddenInputs(fields: Readonly<Record<string, string>>): Html {
  return markup`${Object.entries(fields).map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)}`
}

/** The icon of a client. An icon on another host is not loaded, because that host would learn who opens the page, and when. */
export function badge({ iconUrl, name }: Pick<Client, 'iconUrl' | 'name'>): Html {
  return iconUrl !== null && isPicture(iconUrl)
    ? markup`<img class="badge" src="${iconUrl}" alt="">`
    : markup`<span class="badge">${initialOf(name)}</span>`
}

function initialOf(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '·'
}

function developer({ developerName, developerUrl }: Client): Html | undefined {
  if (developerName === null && developerUrl === null)
    return markup`<p class="soft">The developer of this connection is not named.</p>`
  const link =
    developerUrl === null
      ? undefined
      : markup`<a href="${developerUrl}" rel="noreferrer noopener">${developerName ?? developerUrl}</a>`
  return markup`<p class="soft">Made by ${link ?? developerName ?? ''}</p>`
}

/** The rights of a connection, as items of a list. */
export function rightsOf({ capabilities }: Pick<Client, 'capabilities'>): Html {
  const rights = rightsInWords(capabilities).map(({ words, isGiven }) =>
    isGiven ? markup`<li>${words}</li>` : markup`<li class="not">${words}</li>`,
  )
  return markup`${rights}`
}

function workspaceChooser({ base, workspaces, workspace }: ConsentView): Html {
  if (workspaces.length === 1) return hiddenInputs({ workspace_id: workspace.id })
  const options = workspaces.map(
    ({ id, name }) => markup`<option value="${id}"${id === workspace.id && markup` selected`}>${name}</option>`,
  )
  return markup`<fieldset>
<legend><label for="workspace">Workspace</label></legend>
<div class="row"><select id="workspace" name="workspace_id">${options}</select>
<button type="submit" formaction="${base}${CONTROLS_PATH}">Switch</button></div>
</fieldset>`
}

function pickerOnly(view: ConsentView): Html {
  return markup`<fieldset id="pages">
<legend>Choose what to share</legend>
${picker(view)}
</fieldset>`
}

function pickerOrTemplate(view: ConsentView, template: string): Html {
  return markup`<fieldset id="pages" class="template">
<legend>Choose what to share</legend>
<div class="choice">
<label><input type="radio" name="use_template" value="true"${view.takesTemplate && markup` checked`}><span>Start with a private copy of their template <strong>${template}</strong></span></label>
<label><input type="radio" name="use_template" value="false"${!view.takesTemplate && markup` checked`}><span>Pages and databases that I pick</span></label>
</div>
${picker(view)}
</fieldset>`
}

function picker({ base, search, picks, results }: ConsentView): Html {
  const found =
    results.items.length > 0 && itemList(results.items, false, search === '' ? 'Last edited' : `Found for “${search}”`)
  return markup`<div class="picker">
<p class="small-print">What you pick is shared with everything below it. The list contains what you have full access to.</p>
<div class="row"><div><label class="hidden" for="search">Search pages and databases</label>
<input type="search" id="search" name="search" value="${search}" placeholder="Search pages and databases" maxlength="200" autocomplete="off"></div>
<button type="submit" formaction="${base}${CONTROLS_PATH}">Search</button></div>
${picks.length > 0 && itemList(picks, true, 'Picked')}
${found}
${results.items.length === 0 && markup`<p class="soft">${nothingFound(search, picks.length > 0)}</p>`}
${results.hasMore && markup`<p class="small-print">There are more: search by title to find them. What you picked stays picked.</p>`}
</div>`
}

function nothingFound(search: string, hasPicks: boolean): string {
  const nothing = hasPicks ? 'nothing else' : 'nothing'
  return search === '' ? `There is ${nothing} to pick.` : `There is ${nothing} called “${search}”.`
}

const ICONS = {
  page: markup`<svg viewBox="0 0 20 20" width="20" height="20"><path d="M5 2.5h6.5L15 6v11.5H5zM11.5 2.5V6H15M7.5 9.5h5M7.5 12.5h5"/></svg>`,
  database: markup`<svg viewBox="0 0 20 20" width="20" height="20"><path d="M3 4h14v12H3zM3 8h14M3 12h14M8 4v12"/></svg>`,
}

function itemList(items: readonly PickerItem[], isPicked: boolean, caption: string): Html {
  const rows = items.map(
    ({
      id,
      kind,
      title,
      emoji,
      place,
    }) => markup`<li><label><input type="checkbox" name="page_ids" value="${id}"${isPicked && markup` checked`}>
<span class="icon" aria-hidden="true">${emoji ?? ICONS[kind]}</span>
<span><span class="title">${title}</span><span class="place">${kind === 'database' ? 'Database' : 'Page'}${place !== undefined && ` in ${place}`}</span></span></label></li>`,
  )
  return markup`<p class="caption">${caption}</p><ul class="items">${rows}</ul>`
}
