import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { safeLink, ownFile } from '../../server/http/record_pages/links.ts'
import { undashed } from '../../server/kernel/ids.ts'
import { Browser } from '../harness/browser.ts'
import { dangersIn, hostileLinks, hostileTexts, makeHostilePages } from '../harness/hostile_pages.ts'
import { append, makePage, paragraph, text } from '../harness/content.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const { owner } = server
const reader = new Browser(server)
await reader.signIn(server, exampleWorkspace.people[0].email)
const site = { base: '/ws', baseUrl: 'https://workspace.example/ws' }

describe('hostile content', () => {
  it('stays text on every page', async () => {
    for (const path of await makeHostilePages(owner)) {
      const { status, text: html } = await reader.open(path)
      expect([path, status]).toEqual([path, 200])
      expect(dangersIn(html)).toEqual([])
      expect(html).toContain('&lt;script&gt;')
    }
  })

  it.each(hostileTexts)('stays text in a search for %j', async (words) => {
    const { status, text: html } = await reader.open(`/search?q=${encodeURIComponent(words)}`)
    expect(status).toBe(200)
    expect(dangersIn(html)).toEqual([])
  })
})

describe('the pages for people', () => {
  it.each(hostileLinks)('do not link to %j', (address) => {
    expect(safeLink(site, address)).toBe(undefined)
  })

  it.each([
    ['https://example.org/a?b="c"<d>', 'https://example.org/a?b=%22c%22%3Cd%3E'],
    ['mailto:ines@northshore.example', 'mailto:ines@northshore.example'],
    ['tel:+49 30 12', 'tel:+49 30 12'],
    ['https://workspace.example/ws/0123', '/ws/0123'],
    ['/0123"onclick="x', '/ws/0123%22onclick=%22x'],
  ])('link %j to %j', (address, href) => {
    expect(safeLink(site, address)?.href).toBe(href)
  })

  it('load only files of this service', () => {
    expect(ownFile(site, 'https://workspace.example/ws/files/a/b/c.png?expires=1')).toBe('/ws/files/a/b/c.png?expires=1')
    for (const address of [
      'https://workspace.example/wsx/files/a',
      'https://evil.example/files/a',
      '/files/a',
      'data:image/png;base64,',
    ])
      expect(ownFile(site, address)).toBe(undefined)
  })
})

it('equations and code on pages are rendered with a bounded amount of work', async () => {
  const heavy = String.raw`\def\x{` + 'a'.repeat(450) + '}' + String.raw`\x`.repeat(260)
  const page = await makePage(owner, 'Heavy', undefined, [paragraph('Begins')])
  await append(
    owner,
    page,
    Array.from({ length: 60 }, () => ({ equation: { expression: heavy.slice(0, 1000) } })),
  )
  const code = { rich_text: Array.from({ length: 10 }, () => text('/*'.repeat(1000))), language: 'javascript' }
  await append(
    owner,
    page,
    Array.from({ length: 10 }, () => ({ code })),
  )
  const { status, text: html } = await reader.open(`/${undashed(page)}`)
  expect(status).toBe(200)
  expect(html).toContain('Begins')
  expect(html.length).toBeLessThan(4_000_000)
})
