import { operations, type OperationId } from '../../../generated/operations.ts'
import { curlCommand } from '../curl_command.ts'
import { markup, type Html } from '../oauth/html.ts'
import type { SiteAddress } from './site_address.ts'

/** The API call that returns what is on a page. */
export interface ApiCall {
  readonly operation: OperationId
  /** What the call returns, in a few words. */
  readonly returns: string
  readonly parameters: Readonly<Record<string, string>>
  readonly body?: object
}

export interface ApiAddress extends SiteAddress {
  readonly versionHeader: string
}

/** The calls of a page, as commands, with links to the reference. */
export function forPrograms(api: ApiAddress, calls: readonly ApiCall[], links: Html): Html {
  const summary = calls.length === 1 ? 'The API call that returns this' : 'The API calls that return this'
  return markup`<div class="programs">${links}<details><summary>${summary}</summary>
${calls.map((call) => callOf(api, call))}</details></div>`
}

function callOf(api: ApiAddress, call: ApiCall): Html {
  return markup`<h2>${call.returns}</h2>
<pre tabindex="0" role="region" aria-label="Command: ${call.returns}"><code>${curlOf(api, call)}</code></pre>
<p><a href="${api.base}/docs/operations/${call.operation}">${call.operation} in the reference</a></p>`
}

function curlOf({ baseUrl, versionHeader }: ApiAddress, { operation, parameters, body }: ApiCall): string {
  const { method, path } = operations[operation]
  const target = path.replace(/\{(\w+)\}/g, (_whole, name: string) => parameters[name] ?? '')
  const others = Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`))
  const query = others.length === 0 ? '' : `?${new URLSearchParams(others).toString()}`
  return curlCommand({ method, url: `${baseUrl}${target}${query}`, versionHeader, body })
}
