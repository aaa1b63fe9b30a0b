import type { Response } from '../../kernel/response.ts'
import type { HttpContext } from '../http_context.ts'
import { markup } from '../oauth/html.ts'
import { pageResponse } from '../oauth/page.ts'
import { refused } from '../oauth/refused.ts'
import { SEARCH_PATH } from '../oauth/site_paths.ts'

const MESSAGE = 'This page does not exist, or you have no access to it.'

/** The page for a record that is missing or hidden. It must be the same for both. */
export function noSuchRecord(context: HttpContext, base: string, email: string): Response {
  const body = markup`<h1>Nothing is here</h1>
<p role="alert">${MESSAGE}</p>
<p class="soft">You are signed in as ${email}. Somebody with access can share the page with you.</p>
<p><a href="${base}${SEARCH_PATH}">Pages that you may see</a></p>`
  const page = pageResponse({ status: 404, title: 'Nothing is here', isSmall: true, body })
  return refused(context, page, { code: 'object_not_found', message: MESSAGE })
}
