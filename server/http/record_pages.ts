import type { RequestHandler, Router } from 'express'
import { newestRelease } from '../../generated/operations.ts'
import { canonicalId } from '../kernel/ids.ts'
import type { Response } from '../kernel/response.ts'
import { markup, type Html } from './oauth/html.ts'
import { pageResponse } from './oauth/page.ts'
import { basePath } from './oauth/site_paths.ts'
import type { Dependencies } from './dependencies.ts'
import { isNavigation } from './audience.ts'
import { sendPage } from './send_page.ts'

/** The path of the address of a page or a database: words of its title, if it has one, and its id. */
const RECORD_PATH = /^\/(?:[A-Za-z0-9_-]+-)?([0-9a-f]{32})$/i

/**
 * Serves the `url` of a page, database, view or mention for browsers: it explains how to read the record through the API. It is the same
 * for every id and reads nothing, so it does not reveal what exists. Requests that do not accept HTML come from programs: they get the
 * API's error, since HTML would look like a success to them.
 */
export function serveRecords(app: Router, deps: Dependencies): void {
  const show: RequestHandler = (request, response, next) => {
    const [id] = Object.values(request.params)
    if (typeof id !== 'string' || !isNavigation(request.headers.accept)) return next()
    const calls = { baseUrl: deps.baseUrl(), versionHeader: deps.headers.nameOf('Version') }
    sendPage(deps, response, recordPage(canonicalId(id), calls))
  }
  app.get(RECORD_PATH, show)
}

interface Calls {
  readonly baseUrl: string
  readonly versionHeader: string
}

function recordPage(id: string, { baseUrl, versionHeader }: Calls): Response {
  const read = (collection: string): Html =>
    markup`<p><code>curl ${baseUrl}/v1/${collection}/${id} -H "Authorization: Bearer $TOKEN" -H "${versionHeader}: ${newestRelease}"</code></p>`
  const title = 'A page or database of this service'
  return pageResponse({
    title,
    body: markup`<h1>${title}</h1>
<p>This service has no user interface for records. Read and change them through the <a href="${basePath(baseUrl)}/docs/">API</a>, with a token.
If this address is that of a page:</p>
${read('pages')}
<p>If it is that of a database:</p>
${read('databases')}
<p class="small-print">This text is the same for every id, whether or not there is such a record.</p>`,
  })
}
