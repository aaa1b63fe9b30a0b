import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { RequestHandler } from 'express'
import { PackedFolder } from '../kernel/packed_folder.ts'
import { policyOfPage } from './page_policy.ts'

/** Serves a packed site as `express.static` would serve its folder. */
export function servePacked(site: PackedFolder): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next()
    const path = request.path.slice(1)
    const name = [path, `${path}.html`, `${path}index.html`].find((candidate) => site.has(candidate))
    const bytes = name === undefined ? undefined : await site.read(name)
    if (name === undefined || bytes === undefined) return next()
    if (name.endsWith('.html')) response.setHeader('Content-Security-Policy', policyOfPage(bytes.toString()))
    response.set('ETag', `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`)
    response.type(posix.extname(name)).send(bytes)
  }
}
