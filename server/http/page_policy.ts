import { createHash } from 'node:crypto'

const SCRIPT_START = /<script\b([^<>]*)>/i

/**
 * The `Content-Security-Policy` of a page: it may load files of its own site, and run the inline scripts that its text contains, which are
 * listed by digest. Injected scripts are not run.
 */
export function policyOfPage(html: string): string {
  return policy(inlineScripts(html).map(digestOf))
}

function inlineScripts(html: string): string[] {
  const scripts = html.split(/<\/script>/i).slice(0, -1)
  return scripts.flatMap((text) => {
    const start = SCRIPT_START.exec(text)
    const isInline = start && !/\bsrc=/i.test(start[1] ?? '')
    return isInline ? [text.slice(start.index + start[0].length)] : []
  })
}

function digestOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script, 'utf8').digest('base64')}'`
}

function policy(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self'${scripts.map((digest) => ` ${digest}`).join('')}`,
    // The renderers of the reference use inline styles, which cannot run code.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    // The reference can send requests to a service or mock on the reader's own machine.
    "connect-src 'self' http://127.0.0.1:* http://localhost:*",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
