import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

const INLINE_SCRIPT = /<script\b(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/gi

interface KnownPolicy {
  readonly changedAt: number
  readonly policy: string
}

const policies = new Map<string, KnownPolicy>()

/**
 * What a page may load: its own site's files, and the scripts that stand in it, each named by its digest. Nothing from elsewhere,
 * nothing that someone put in.
 * @param path of an HTML file that is about to be served; undefined, or another kind of file, for one without scripts of its own
 */
export function policyOf(path: string | undefined): string {
  if (path === undefined || !path.endsWith('.html')) return policy([])
  const changedAt = statSync(path).mtimeMs
  const known = policies.get(path)
  if (known?.changedAt === changedAt) return known.policy
  const fresh = policy([...readFileSync(path, 'utf8').matchAll(INLINE_SCRIPT)].map(([, script = '']) => digestOf(script)))
  policies.set(path, { changedAt, policy: fresh })
  return fresh
}

function digestOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script, 'utf8').digest('base64')}'`
}

function policy(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self'${scripts.map((digest) => ` ${digest}`).join('')}`,
    // Renderers of references write their styles into the page; styles cannot act.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    // The form of an operation may call a service or a mock on the reader's own machine.
    "connect-src 'self' http://127.0.0.1:* http://localhost:*",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
