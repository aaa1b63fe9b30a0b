/** The reference for programs: its Markdown and its lists name the service that serves them. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packFolder } from '../../../scripts/build/pack_folder.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

const WRITTEN = 'https://harbour.example'

describe.each(['in a folder', 'packed'])('the reference site, %s', (form) => {
  let parent = ''
  let server: TestServer
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'site-texts-test-'))
    const folder = join(parent, 'site')
    await mkdir(join(folder, 'events'), { recursive: true })
    const files = {
      'index.html': `<!doctype html><title>Harbour</title><pre>curl ${WRITTEN}/v1/users/me</pre>`,
      'events/index.html': '<!doctype html><title>Events</title>',
      'index.md': `# Harbour\n\ncurl ${WRITTEN}/v1/users/me\n`,
      'events/page.created.html': `<!doctype html><title>page.created</title>`,
      'site.css': 'main { color: navy }',
      'events/page.created.md': `# page.created\n\nSent by ${WRITTEN}.\n`,
      'sitemap.txt': `${WRITTEN}/docs/index.html\n${WRITTEN}/docs/events/page.created.html\n`,
      'openapi.yaml': `openapi: 3.1.1\nservers:\n  - url: ${WRITTEN}\n`,
      'openapi.json': JSON.stringify({ openapi: '3.1.1', servers: [{ url: WRITTEN }] }),
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    if (form === 'packed') await packFolder(folder, folder, 1_000)
    server = await startTestServer({ SITE_FOLDER: folder })
  })
  afterAll(async () => {
    await server.stop()
    await rm(parent, { recursive: true })
  })

  it('has a sitemap of absolute addresses of this service', async () => {
    const { status, headers, text } = await server.owner.page('/docs/sitemap.txt')
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' })
    expect(text).toBe(`${server.url}/docs/index.html\n${server.url}/docs/events/page.created.html\n`)
  })

  it.each([
    ['index.html', 'text/html; charset=utf-8'],
    ['index.md', 'text/markdown; charset=utf-8'],
    ['events/page.created.md', 'text/markdown; charset=utf-8'],
  ])('names this service in %s', async (name, type) => {
    const { status, headers, text } = await server.owner.page(`/docs/${name}`)
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type })
    expect(text).toContain(server.url)
    expect(text).not.toContain(WRITTEN)
  })

  it.each([
    ['openapi.yaml', 'text/yaml; charset=utf-8'],
    ['openapi.json', 'application/json; charset=utf-8'],
  ])('names this service in %s, which may be compressed', async (name, type) => {
    const { headers, text } = await server.owner.page(`/docs/${name}`)
    expect(headers).toMatchObject({ 'content-type': type, vary: 'Accept, Accept-Encoding' })
    expect(text).toContain(server.url)
    expect(text).not.toContain(WRITTEN)
  })

  it.each([
    ['/docs/', 'text/markdown', '# Harbour'],
    ['/docs/index.html', 'text/markdown, text/html, */*', '# Harbour'],
    ['/docs/events/page.created', 'text/html;q=0.5, text/markdown', '# page.created'],
    ['/docs/', 'text/html, text/markdown', '<!doctype html>'],
    ['/docs/', '*/*', '<!doctype html>'],
  ])('responds to %s, accepting %s, with %s', async (path, accepted, start) => {
    const { status, headers, text } = await server.owner.page(path, 'GET', { Accept: accepted })
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: `text/${start.startsWith('#') ? 'markdown' : 'html'}; charset=utf-8`,
    })
    expect(headers['vary']).toMatch(/^Accept\b/)
    expect(text.startsWith(start)).toBe(true)
  })

  it('serves a page without its extension, a folder by its first page, and files unchanged', async () => {
    expect((await server.owner.page('/docs/events/page.created')).text).toContain('<title>page.created</title>')
    const { status, headers } = await server.owner.page('/docs/events')
    expect({ status, location: headers['location'] }).toEqual({ status: 301, location: `${server.url}/docs/events/` })
    expect((await server.owner.page('/docs/events/')).text).toContain('<title>Events</title>')
    const style = await server.owner.page('/docs/site.css')
    expect([style.headers['content-type'], style.text]).toEqual(['text/css; charset=utf-8', 'main { color: navy }'])
  })

  it('responds with 404 to a request for a missing page as Markdown', async () => {
    expect((await server.owner.page('/docs/operations/nothing', 'GET', { Accept: 'text/markdown' })).status).toBe(404)
  })

  it('responds to HEAD with status 200 and no body, and to GET with 304 when the page is unchanged', async () => {
    const head = await server.owner.page('/docs/sitemap.txt', 'HEAD')
    const again = await server.owner.page('/docs/sitemap.txt', 'GET', { 'If-None-Match': String(head.headers['etag']) })
    expect([head.status, head.text, again.status]).toEqual([200, '', 304])
  })

  it('responds with a page to a browser that requests a missing page', async () => {
    const { status, headers, text } = await server.owner.page('/docs/operations/nothing.html')
    expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'text/html; charset=utf-8' })
    expect(text).toContain(`<a href="/docs/">`)
  })

  it.each(['/docs/nothing.md', '/docs/events/../../site.pack.json.md', '/docs/..%2fsecret.txt'])(
    'does not serve %s',
    async (path) => {
      expect((await server.owner.page(path)).status).toBeGreaterThanOrEqual(400)
    },
  )
})
