import type { Response } from '../../kernel/response.ts'
import { markup, type Html } from '../oauth/html.ts'
import { SEARCH_PATH, SIGN_IN_PATH } from '../oauth/site_paths.ts'
import { STYLESHEET_PATH } from './stylesheet.ts'

/** The content of a page of the workspace. All pages have the same surroundings. */
export interface DocumentContent {
  readonly status?: number
  /** The path of the service's address. */
  readonly base: string
  readonly title: string
  readonly email: string
  readonly workspace: { readonly id: string; readonly name: string }
  /** The text for which the person searched. */
  readonly search?: string
  /** The list of pages beside the content. */
  readonly sidebar: Html
  readonly main: Html
}

export function documentResponse({
  status = 200,
  base,
  title,
  email,
  workspace,
  search = '',
  sidebar,
  main,
}: DocumentContent): Response {
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${base}${STYLESHEET_PATH}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="home" href="${base}${SEARCH_PATH}?workspace=${workspace.id}">${workspace.name}</a>
<form role="search" action="${base}${SEARCH_PATH}"><input type="hidden" name="workspace" value="${workspace.id}">
<input type="search" name="q" value="${search}" aria-label="Search titles" placeholder="Search titles" accesskey="/" maxlength="200"><button>Search</button></form>
<a class="account" href="${base}${SIGN_IN_PATH}">${email}</a>
</header>
<div class="shell">
<main id="content" tabindex="-1">
${main}
</main>
${sidebar}
</div>
</body>
</html>
`
  return { status, headers: HEADERS, text }
}

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "media-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  Pragma: 'no-cache',
}
