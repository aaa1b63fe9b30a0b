import { describe, expect, it } from 'vitest'
import type { BlockType } from '../../generated/types.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { undashed } from '../../server/kernel/ids.ts'
import { Browser } from '../harness/browser.ts'
import { append, appendOne, makePage, paragraph, text } from '../harness/content.ts'
import { png, upload } from '../harness/files.ts'
import { makeComment } from '../harness/comments.ts'
import { idOf } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const { owner } = server
const { pages, people } = exampleWorkspace
const reader = new Browser(server)
await reader.signIn(server, people[0].email)

async function htmlOf(id: string, query = ''): Promise<string> {
  const { status, text: html } = await reader.open(`/${undashed(id)}${query}`)
  expect(status).toBe(200)
  return html
}

/** Expected content for each type of block, in the launch day plan or the handbook around it. */
const shown: Readonly<Record<BlockType, string | RegExp>> = {
  paragraph: '<p class="">Heron goes back into the water on ',
  heading_1: /<h2 class="">Launch day<\/h2>/,
  heading_2: /<details class="toggle of-heading"><summary><h3 class="">Before the tide<\/h3>/,
  heading_3: /<h4 class="">Order of work<\/h4>/,
  heading_4: /<h5 class="">What to bring<\/h5>/,
  bulleted_list_item: /<ul><li id="[0-9a-f]{32}"><span class="text ">/,
  numbered_list_item: /<ol type="1" start="1"><li id=/,
  to_do: /<ul class="to-dos"><li id="[0-9a-f]{32}" class="(?:done|open)"><span class="hidden">(?:Done|To do): /,
  quote: '<blockquote class=""><p>A boat is never finished, only launched.</p>',
  toggle: /<details class="toggle "><summary><span class="">If the wind is above 5/,
  template: /Add a launch <span class="tag">Template button/,
  callout: /<div class="callout bg-yellow">/,
  synced_block: '>Copy of a synced block</a>',
  tab: /<details name="tab-[0-9a-f]{32}" open><summary>/,
  column_list: '<div class="columns"><div class="column share-',
  column: /<div class="column share-\d+"><div class="block"/,
  table: /<table class="simple"><tbody><tr id="[0-9a-f]{32}"><th scope="col">Hour/,
  table_row: '<td>10:40</td>',
  code: /<pre [^>]+><code>tide = load\(<span class="hljs-string">/,
  equation: /<div class="equation"[^>]*><span class="katex"><math /,
  divider: '<hr>',
  breadcrumb: '<nav aria-label="Where this page is"><ol class="crumbs"><li><a href="/' + undashed(pages.handbook),
  table_of_contents: /<nav class="contents" aria-label="Contents"><ul><li class="level-1"><a href="#[0-9a-f]{32}">Launch day</,
  link_to_page: `<p class="record"><a href="/${undashed(pages.checklist)}">`,
  embed: '<span class="kind">Embed on example.org</span>',
  bookmark: '<a class="card" href="https://example.org/slipway-rules"',
  image: '<span class="kind">Image on example.org</span>',
  video: '<span class="kind">Video on example.org</span>',
  pdf: '<span class="kind">PDF on example.org</span>',
  file: '<span class="name">tides.csv</span><span class="kind">File on example.org</span>',
  audio: '<span class="kind">Audio on example.org</span>',
  child_page: `<p class="record"><a href="/${undashed(pages.launchPlan)}">`,
  child_database:
    /<p class="record"><a href="\/[0-9a-f]{32}"><span class="icon kind-database"[^>]*><\/span><span>Boats in the yard/,
  meeting_notes: /<section class="notes">[\s\S]*Launch speech rehearsal[\s\S]*Notes ready/,
  link_preview: '<a class="card" href="https://planner.example/boards/42"',
  unsupported: 'does not support: <code>form</code>',
}

describe('a page with every type of block', () => {
  // KaTeX and the highlighter are loaded by the first page that needs them.
  const html = htmlOf(pages.launchPlan).then(
    async (plan) => plan + (await htmlOf(pages.handbook)) + (await htmlOf(pages.checklist)),
  )
  it.each(Object.entries(shown))('shows %s', async (_type, expected) => {
    if (typeof expected === 'string') expect(await html).toContain(expected)
    else expect(await html).toMatch(expected)
  })

  it('loads nothing from other hosts', async () => {
    expect(await html).not.toMatch(/\s(?:src|srcset|poster|data|action)="(?:https?:)?\/\//)
  })
})

describe('rich text on a page for people', () => {
  it('shows annotations, colors, links, mentions with names, and equations', async () => {
    const page = await makePage(owner, 'Texts', undefined, [
      {
        paragraph: {
          rich_text: [
            text('strong', { annotations: { bold: true, color: 'red' } }),
            text('marked', { annotations: { italic: true, color: 'green_background' } }),
            text('named', { annotations: { code: true, strikethrough: true, underline: true } }),
            { text: { content: 'away', link: { url: 'https://example.org/a?b=1&c=2' } } },
            { text: { content: 'here', link: { url: `${server.url}/${undashed(pages.checklist)}` } } },
            { mention: { user: { id: people[1].id } } },
            { mention: { page: { id: pages.checklist } } },
            { mention: { date: { start: '2026-05-16', end: '2026-05-18' } } },
            { equation: { expression: 'a^2' } },
          ],
        },
      },
    ])
    const html = await htmlOf(page)
    for (const part of [
      '<span class="c-red"><strong>strong</strong></span>',
      '<span class="bg-green"><em>marked</em></span>',
      '<s><u><code>named</code></u></s>',
      '<a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">away</a>',
      `<a href="/${undashed(pages.checklist)}">here</a>`,
      `<span class="mention">@${people[1].name}</span>`,
      `<a class="mention" href="/${undashed(pages.checklist)}">Safety checklist</a>`,
      '<time datetime="2026-05-16">May 16, 2026</time> → <time datetime="2026-05-18">May 18, 2026</time>',
      '<msup><mi>a</mi><mn>2</mn></msup>',
    ])
      expect(html).toContain(part)
  })

  it("shows dates in the format of the browser's language", async () => {
    const page = await makePage(owner, 'Day', undefined, [
      { paragraph: { rich_text: [{ mention: { date: { start: '2026-05-16' } } }] } },
    ])
    const cookie = [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const [languages, day] of [
      ['de-DE,de;q=0.9', '16.05.2026'],
      ['!, x-nothing, fr', '16 mai 2026'],
      ['', 'May 16, 2026'],
    ] as const) {
      const headers = { Cookie: cookie, Accept: 'text/html', 'Accept-Language': languages }
      const { text: html } = await server.caller(undefined, undefined).page(`/${undashed(page)}`, 'GET', headers)
      expect(html).toContain(`<time datetime="2026-05-16">${day}</time>`)
    }
  })
})

describe('a page for people', () => {
  it('shows files stored by this service, which are loaded by paths without a host', async () => {
    const page = await makePage(owner, 'Pictures')
    await append(owner, page, [
      { image: { file_upload: { id: await upload(owner, png, 'slip.png') }, caption: [text('The slip')] } },
      {
        video: {
          file_upload: {
            id: await upload(
              owner,
              Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypisom'), Buffer.alloc(32)]),
              'launch.mp4',
            ),
          },
        },
      },
    ])
    const html = await htmlOf(page)
    const [, source = ''] = /<img src="(\/files\/[^"]+)" alt="The slip" loading="lazy">/.exec(html) ?? []
    const { status, bytes } = await reader.open(source.replaceAll('&amp;', '&'))
    expect([status, bytes]).toEqual([200, png])
    expect(html).toMatch(/<video src="\/files\/[^"]+" controls preload="metadata" aria-label="Video"><\/video>/)
  })

  it('shows comments at their blocks, and comments on the page above its content', async () => {
    const page = await makePage(owner, 'Talk')
    const block = await appendOne(owner, page, paragraph('Crane at nine'))
    await makeComment(owner, { parent: { block_id: block }, rich_text: [text('Ten is better')] })
    await makeComment(owner, { parent: { page_id: page }, rich_text: [text('All agreed')] })
    const html = await htmlOf(page)
    expect(html.indexOf('All agreed')).toBeLessThan(html.indexOf('Crane at nine'))
    expect(html.slice(html.indexOf('Crane at nine'))).toMatch(/<summary>1 comment<\/summary>[\s\S]*Ten is better/)
  })

  it('shows that a page is in the trash', async () => {
    const page = await makePage(owner, 'Old', undefined, [paragraph('Kept')])
    await owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    expect(await htmlOf(page)).toMatch(/This page is in the trash\.[\s\S]*Kept/)
  })

  it('shows breadcrumbs, and neighboring pages in a tree', async () => {
    const html = await htmlOf(pages.launchPlan)
    expect(html).toMatch(/<nav aria-label="Breadcrumb"><ol class="crumbs"><li><a [^>]+>.*?Workshop handbook/)
    expect(html).toMatch(
      /<nav class="tree" [\s\S]*Workshop handbook[\s\S]*aria-current="page">[\s\S]*?Launch day plan[\s\S]*Boats in the yard/,
    )
  })

  it('shows the API calls, and the page as JSON and Markdown', async () => {
    const html = await htmlOf(pages.checklist)
    expect(html).toContain(`curl &#39;${server.url}/v1/pages/${pages.checklist}&#39;`)
    expect(html).toContain('href="/docs/operations/retrievePageMarkdown"')
    const { body } = await owner.call('retrievePage', { path: { page_id: pages.checklist } })
    const json = /<code>([\s\S]*?)<\/code>/.exec(await htmlOf(pages.checklist, '?as=json'))?.[1] ?? ''
    const plain = json
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&')
    expect(JSON.parse(plain)).toEqual({
      ...body,
      request_id: undefined,
      created_by: expect.anything(),
      last_edited_by: expect.anything(),
    })
    const { body: written } = await owner.call('retrievePageMarkdown', { path: { page_id: pages.checklist } })
    const [line = ''] = String(written['markdown']).split('\n')
    expect(await htmlOf(pages.checklist, '?as=markdown')).toContain(line.slice(0, 20).replaceAll('"', '&quot;'))
  })
})

describe('a long page for people', () => {
  it('is shown in parts, each with a link to the next part', async () => {
    const page = await makePage(owner, 'Log')
    for (let start = 0; start < 250; start += 100)
      await append(
        owner,
        page,
        Array.from({ length: Math.min(100, 250 - start) }, (_none, index) => paragraph(`Line ${start + index}.`)),
      )
    const lines: string[] = []
    for (let path = `/${undashed(page)}`, parts = 0; path !== ''; parts += 1) {
      expect(parts).toBeLessThan(4)
      const { text: html } = await reader.open(path)
      lines.push(...[...html.matchAll(/Line \d+\./g)].map(([line]) => line))
      path = /<p class="more"><a href="([^"]+)" rel="next">/.exec(html)?.[1] ?? ''
    }
    expect(lines).toEqual(Array.from({ length: 250 }, (_none, index) => `Line ${index}.`))
  })

  it('links to content that is too deep or too long to show within a block', async () => {
    const page = await makePage(owner, 'Deep')
    let parent = await appendOne(owner, page, { toggle: { rich_text: [text('Level 0')] } })
    for (let level = 1; level < 16; level += 1)
      parent = await appendOne(owner, parent, { toggle: { rich_text: [text(`Level ${level}.`)] } })
    const html = await htmlOf(page)
    expect(html).toContain('Level 11.')
    expect(html).not.toContain('Level 12.')
    const [, path = ''] = /<p class="more"><a href="([^"]+)">More of this/.exec(html) ?? []
    expect((await reader.open(path)).text).toContain('Level 12.')
  })

  it('ends where a synced block would contain itself', async () => {
    const page = await makePage(owner, 'Mirror')
    const original = await appendOne(owner, page, { synced_block: { synced_from: null, children: [paragraph('Channel 12')] } })
    const copy = await owner.call('appendBlockChildren', {
      path: { block_id: original },
      body: { children: [{ synced_block: { synced_from: { block_id: original } } }] },
    })
    const html = await htmlOf(page)
    expect(html.split('Channel 12')).toHaveLength(2)
    expect([200, 400]).toContain(copy.status)
  })
})

it('a block without children is shown on a page of its own', async () => {
  const page = await makePage(owner, 'One')
  const [made] = await append(owner, page, [paragraph('Alone')])
  expect(await htmlOf(made ? idOf(made) : '')).toContain('Alone')
})
