import assert from 'node:assert/strict'
import { at, idOf, isObject, resultsOf, type Json, type JsonObject } from '../../harness/json.ts'
import { asRecord } from '../install.ts'
import { construct, methodAt } from '../run.ts'
import { makeOfficial, text, typesOf, type Official } from './official_client.ts'
import { HANDBOOK, type Program, type Setting } from './program.ts'

/** Content for exporters: most kinds of blocks, nested, with marks and links. */
const CHILDREN = [
  { heading_1: { rich_text: text('Tide table') } },
  {
    paragraph: {
      rich_text: [{ text: { content: 'High water', link: { url: 'https://planner.example/' } }, annotations: { bold: true } }],
    },
  },
  { bulleted_list_item: { rich_text: text('Saturday'), children: [{ bulleted_list_item: { rich_text: text('11:40') } }] } },
  { numbered_list_item: { rich_text: text('First') } },
  { to_do: { rich_text: text('Check the sill'), checked: true } },
  { code: { rich_text: text('const water = 1'), language: 'javascript' } },
  { quote: { rich_text: text('Mind the gap') } },
  { callout: { rich_text: text('Low water'), icon: { emoji: '⚓' } } },
  { divider: {} },
  { equation: { expression: 'e = mc^2' } },
  { toggle: { rich_text: text('More'), children: [{ paragraph: { rich_text: text('inside') } }] } },
  { image: { type: 'external', external: { url: 'https://planner.example/dock.png' } } },
  { bookmark: { url: 'https://planner.example/' } },
  {
    table: {
      table_width: 2,
      has_column_header: true,
      children: [
        { table_row: { cells: [text('Time'), text('Height')] } },
        { table_row: { cells: [text('11:40'), text('2.1 m')] } },
      ],
    },
  },
  {
    column_list: {
      children: [
        { column: { children: [{ paragraph: { rich_text: text('left') } }] } },
        { column: { children: [{ paragraph: { rich_text: text('right') } }] } },
      ],
    },
  },
]

/** Texts of this content that every exporter should output. */
const FOUND = [
  'Tide table',
  'High water',
  '11:40',
  'Check the sill',
  'const water = 1',
  'Mind the gap',
  'Low water',
  'e = mc^2',
  '2.1 m',
]

async function samplePage(official: Official, title: string): Promise<string> {
  const parent = { page_id: HANDBOOK }
  const page = await official.call('pages.create', { parent, properties: { title: { title: text(title) } }, children: CHILDREN })
  return idOf(page)
}

function holds(found: unknown): void {
  for (const piece of FOUND) assert.ok(String(found).includes(piece), `no "${piece}" in ${String(found).slice(0, 100)}`)
}

/** Runs a program as one part, with a sample page and the official client beside the library. */
function withSample(
  use: (setting: Setting, official: Official, pageId: string, library: Readonly<Record<string, unknown>>) => Promise<void>,
): Program {
  return async (setting) => {
    const official = await makeOfficial(setting)
    const library = await setting.installed.load(setting.client.package)
    await setting.run.part('library', async () => {
      await use(setting, official, await samplePage(official, setting.client.package), library)
    })
  }
}

/** Page to Markdown, the whole tree and a single block. */
export const toMarkdown = withSample(async ({ run }, official, pageId, library) => {
  const exporter = construct(library['NotionToMarkdown'], { notionClient: official.client })
  const blocks = await run.value('pageToMarkdown', () => methodAt(exporter, 'pageToMarkdown')?.(pageId))
  await run.value(
    'toMarkdownString',
    () => methodAt(exporter, 'toMarkdownString')?.(blocks),
    (made) => holds(asRecord(made)['parent']),
  )
  const read = await official.call('blocks.children.list', { block_id: pageId })
  for (const block of resultsOf(read))
    await run.value(
      `blockToMarkdown ${String(block['type'])}`,
      () => methodAt(exporter, 'blockToMarkdown')?.(block),
      (made) => assert.equal(typeof made, 'string'),
    )
})

/** Converts Markdown to blocks, which the official client then sends and reads again. */
export const martian = withSample(async ({ run }, official, pageId, library) => {
  const toBlocks = methodAt(library, 'markdownToBlocks')
  const samples = {
    headings: '# One\n\n## Two\n\n### Three\n\n#### Four',
    text: 'Some *marks*, **bold**, ~~struck~~, `code`, [a link](https://planner.example/).',
    lists: '- one\n  - two\n    - three\n\n1. first\n2. second\n\n- [x] done\n- [ ] to do',
    code: '```ts\nconst water = 1\n```\n\n```unheard-of\nx\n```',
    quote: '> Mind the gap\n> twice',
    table: '| Time | Height |\n|---|---|\n| 11:40 | 2.1 m |',
    rest: '---\n\n![dock](https://planner.example/dock.png)\n\n$$\ne = mc^2\n$$\n\nInline $x$.',
  }
  for (const [name, markdown] of Object.entries(samples)) {
    const children = await run.value(
      `markdownToBlocks ${name}`,
      () => toBlocks?.(markdown),
      (made) => assert.ok(Array.isArray(made)),
    )
    await official.call('blocks.children.append', { block_id: pageId, children })
  }
  const rich_text = await run.value('markdownToRichText', () => methodAt(library, 'markdownToRichText')?.('**hello** _world_'))
  await official.call('blocks.children.append', { block_id: pageId, children: [{ paragraph: { rich_text } }] })
  await official.call('blocks.children.list', { block_id: pageId }, (list) =>
    assert.ok(typesOf(resultsOf(list)).includes('table')),
  )
})

/** Converts the tree of blocks, which the library itself reads, to Markdown. */
export const converter = withSample(async ({ run }, official, pageId, library) => {
  const tree = await run.value(
    '$getPageFullContent',
    () => methodAt(library, '$getPageFullContent')?.(official.client, pageId),
    (made) => assert.ok(Array.isArray(made) && made.length === CHILDREN.length),
  )
  const converted = construct(library['NotionMarkdownConverter'])
  await run.value('execute', () => methodAt(converted, 'execute')?.(tree), holds)
})

/** Crawls from a page to those below it. */
export const crawler = withSample(async ({ run }, official, pageId, library) => {
  const parent = { page_id: pageId }
  await official.call('pages.create', { parent, properties: { title: { title: text('Below') } }, children: CHILDREN })
  const crawl = methodAt(library, 'crawler')?.({ client: official.client })
  const pages = await run.value('crawl', async () => {
    const found: unknown[] = []
    for await (const result of Object(methodAt({ crawl }, 'crawl')?.(pageId))) found.push(result)
    assert.ok(found.every((result) => asRecord(result)['success'] === true))
    assert.equal(found.length, 2)
    return found
  })
  for (const result of pages)
    await run.value('pageToString', () => methodAt(library, 'pageToString')?.(asRecord(result)['page']), holds)
})

/** Converts responses of the official API to the form of the unofficial interface, which renderers expect. */
export const compat = withSample(async ({ run }, official, pageId, library) => {
  const api = construct(library['NotionCompatAPI'], official.client)
  await run.value(
    'getPage',
    () => methodAt(api, 'getPage')?.(pageId),
    (map) => {
      const blocks = asRecord(asRecord(map)['block'])
      assert.ok(Object.keys(blocks).length > CHILDREN.length)
      assert.ok(JSON.stringify(map).includes('Check the sill'))
    },
  )
})

/** Builds a page of many blocks and sends it in batches within the limits. */
export const helper = withSample(async ({ run }, official, _pageId, library) => {
  let builder: unknown = methodAt(library, 'createNotionBuilder')?.({ limitChildren: false, limitNesting: false })
  const add = (name: string, ...input: unknown[]): void => void (builder = methodAt(builder, name)?.(...input))
  add('parentPage', HANDBOOK)
  add('title', 'title', 'A long page')
  add('heading1', 'Down the slip')
  for (let count = 0; count < 250; count += 1) add('paragraph', `line ${count}`)
  const page: unknown = methodAt(builder, 'build')?.()
  const made = await run.value('createPage', () =>
    methodAt(library, 'createPage')?.({ data: asRecord(page)['content'], client: official.client }),
  )
  const response: Json | undefined = asJson(asRecord(made)['apiResponse'] ?? made)
  const blocks = await official.all('blocks.children.list', { block_id: idOf(response) })
  await run.value(
    'all blocks',
    () => blocks,
    (all) => {
      assert.equal(all.length, 251)
      assert.equal(at(all[250], 'paragraph', 'rich_text', 0, 'plain_text'), 'line 249')
    },
  )
})

function asJson(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}
