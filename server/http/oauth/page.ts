import { createHash } from 'node:crypto'
import type { Response } from '../../kernel/response.ts'
import { Html, markup } from './html.ts'
import { stylesheet } from './stylesheet.ts'

const STYLE_DIGEST = createHash('sha256').update(stylesheet, 'utf8').digest('base64')

interface PageContent {
  readonly status?: number
  readonly title: string
  readonly body: Html
  /** Whether the content is short, such as a form with two fields. */
  readonly isSmall?: boolean
  /** Where the forms of the page may submit and redirect to, as a source list of CSP; by default, only this site. */
  readonly formTargets?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
}

/** A complete HTML page, with headers that prevent framing, caching, scripts and referrers. */
export function pageResponse({
  status = 200,
  title,
  body,
  isSmall = false,
  formTargets = "'self'",
  headers = {},
  cookies = [],
}: PageContent): Response {
  const text = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(stylesheet)}</style>
</head>
<body>
<main${isSmall ? new Html(' class="small"') : ''}>
${body}
</main>
</body>
</html>
`.text
  return {
    status,
    headers: { ...securityHeaders(formTargets), ...headers, 'Content-Type': 'text/html; charset=utf-8' },
    cookies,
    text,
  }
}

/** After a form, 303 makes the browser request the new address by GET, without submitting the form again. */
export type RedirectStatus = 302 | 303

/** A redirect. @param location an absolute URL */
export function redirectResponse(location: string, status: RedirectStatus, cookies: readonly string[] = []): Response {
  return {
    status,
    headers: { ...securityHeaders("'self'"), 'Content-Type': 'text/html; charset=utf-8', Location: location },
    cookies,
    text: '',
  }
}

function securityHeaders(formTargets: string): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_DIGEST}'`,
      'img-src data:',
      "base-uri 'none'",
      `form-action ${formTargets}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    Pragma: 'no-cache',
  }
}
