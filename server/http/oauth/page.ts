import { createHash } from 'node:crypto'
import type { Answer } from '../answer.ts'
import { Html, markup } from './html.ts'
import { stylesheet } from './style.ts'

const STYLE_DIGEST = createHash('sha256').update(stylesheet, 'utf8').digest('base64')

/** A page for people. */
interface PersonPage {
  readonly status?: number
  readonly title: string
  readonly body: Html
  /** Whether the content is a short one, such as a form of two fields. */
  readonly isSmall?: boolean
  /** Where its forms may lead, redirects after them included: a source list of CSP. This site alone unless said otherwise. */
  readonly formTargets?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
}

/** The whole page, with what keeps it from being framed, cached, scripted or told on. */
export function pageAnswer({
  status = 200,
  title,
  body,
  isSmall = false,
  formTargets = "'self'",
  headers = {},
  cookies = [],
}: PersonPage): Answer {
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
    headers: { ...guardHeaders(formTargets), ...headers, 'Content-Type': 'text/html; charset=utf-8' },
    cookies,
    text,
  }
}

/** 303 after a form: the browser asks for the new address, and does not send the form there. */
export type RedirectStatus = 302 | 303

/** @param location absolute */
export function redirectAnswer(location: string, status: RedirectStatus, cookies: readonly string[] = []): Answer {
  return {
    status,
    headers: { ...guardHeaders("'self'"), 'Content-Type': 'text/html; charset=utf-8', Location: location },
    cookies,
    text: '',
  }
}

function guardHeaders(formTargets: string): Record<string, string> {
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
