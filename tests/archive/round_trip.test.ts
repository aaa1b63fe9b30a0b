import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { append, appendOne, block, makePage, paragraph, text } from '../harness/content.ts'
import { scratchFolder, makeDatabase as makeStore } from '../harness/databases.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { jpeg, pdf, png, upload } from '../harness/files.ts'
import { idOf } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { filesOf, lossesOf, newPath } from './support/archives.ts'

const store = await makeStore()
afterAll(() => store.drop())
const settings = { DATABASE_URL: store.url, FILES_URL: `file:${scratchFolder('files-')}` }
const cli = new InProcessCommandLine(store.url, settings)

/**
 * Plants content that archives must preserve: clashing names, pages at every level, all kinds of links, files, rows with content, two-way
 * relations.
 */
async function plant(): Promise<void> {
  const server = await startTestServer(settings)
  const { owner } = server
  const root = await makePage(owner, 'Round trip')
  const first = await makePage(owner, 'Notes: a/b? "c" <d>', root)
  await makePage(owner, 'notes  a b c d', root)
  const tricky = await makePage(owner, '..', root)
  await makePage(owner, '# Not *a* [heading](x)', root)
  const toggle = await appendOne(owner, root, block('toggle', 'Inside'))
  const inner = await makePage(owner, 'Inner', first)
  const picture = { file_upload: { id: await upload(owner, png, 'tide (low).png') } }
  await append(owner, toggle, [paragraph('Text'), { image: picture }])
  await append(owner, root, [
    { link_to_page: { page_id: inner } },
    {
      paragraph: {
        rich_text: [
          { mention: { page: { id: tricky } } },
          text(' and '),
          { text: { content: 'over there', link: { url: `/${inner.replaceAll('-', '')}` } } },
        ],
      },
    },
    { paragraph: { rich_text: [text('bold', { annotations: { bold: true } })] } },
    { code: { language: 'markdown', rich_text: [text('[Inner](Inner.md)\n\n```\n![x](y.png)\n```')] } },
    { paragraph: { rich_text: [text('[Inner](Inner.md)', { annotations: { code: true } })] } },
    { pdf: { file_upload: { id: await upload(owner, pdf, 'plan.pdf') } } },
    { file: { file_upload: { id: await upload(owner, 'tide,height\n1,2\n', 'table.csv', 'text/csv') } } },
    { embed: { file_upload: { id: await upload(owner, '<p>High water</p>', 'tides.html') }, caption: [text('Tides')] } },
    { image: { file_upload: { id: await upload(owner, jpeg, 'tide (low).jpeg') }, caption: [text('Low (water)')] } },
    block('callout', 'Mind the gap', { icon: { type: 'icon', icon: { name: 'anchor', color: 'blue' } } }),
    block('numbered_list_item', 'One'),
    block('numbered_list_item', 'Two', { children: [paragraph('deeper'), block('to_do', 'deepest')] }),
  ])
  const icon = {
    icon: { type: 'file_upload', ...picture },
    cover: { type: 'external', external: { url: 'https://example.org/c.png' } },
  }
  await owner.call('updatePage', { path: { page_id: inner }, body: icon })
  const boats = await makeDatabase(owner, root, {
    Length: { number: {} },
    Row: { rich_text: {} },
    Kind: { multi_select: { options: [{ name: 'Sail' }, { name: 'Motor' }] } },
  })
  const jobs = await makeDatabase(owner, first, {
    Boats: { relation: { data_source_id: boats.sourceId, type: 'dual_property', dual_property: {} } },
    Done: { checkbox: {} },
    When: { date: {} },
    Papers: { files: {} },
    State: { status: {} },
    Half: { formula: { expression: '1 / 2' } },
    People: { people: {} },
    Site: { url: {} },
  })
  const ids: string[] = []
  for (const name of ['Heron', 'Heron', 'Sand, "piper"\n2', '=SUM(A1)', ''])
    ids.push(
      idOf(
        await makeRow(owner, boats.sourceId, {
          Name: { title: [text(name)] },
          Length: { number: ids.length / 4 },
          Row: { rich_text: [text(' padded\r\n')] },
          Kind: { multi_select: [{ name: 'Sail' }] },
        }),
      ),
    )
  await append(owner, ids[1] ?? '', [paragraph('The other Heron'), { image: picture }])
  await makePage(owner, 'Below a row', ids[1])
  for (const boat of ids)
    await makeRow(owner, jobs.sourceId, {
      Name: { title: [text('Job')] },
      Boats: { relation: [{ id: boat }, { id: ids[0] }] },
      Done: { checkbox: boat === ids[0] },
      When: { date: { start: '2026-05-01', end: '2026-05-03' } },
      Papers: {
        files: [
          { name: 'a [b].png', ...picture },
          { name: 'web', external: { url: 'https://example.org/(x)%20y' } },
        ],
      },
      People: { people: [{ id: exampleWorkspace.people[0]?.id }] },
      Site: { url: 'https://example.org' },
    })
  await server.stop()
}

const workspace = exampleWorkspace.workspace.id
/** Content of the sample workspace that cannot be recreated. */
const SAMPLE_LOSSES = [
  'title "Boats": The only data source of a database has the title of the database.',
  'verified: Importing a page does not verify it.',
  'verified: Importing a page does not verify it.',
]
let sample: Record<string, unknown>
const first = newPath()
beforeAll(async () => {
  await plant()
  await cli.json('workspace', 'export', workspace, first, '--format', 'markdown')
  sample = await filesOf(first)
})

describe('workspace export and import --format markdown', () => {
  it('use names that are valid on every system and unique regardless of case', () => {
    expect(
      Object.keys(sample)
        .map((path) => path.replace(/^Round trip\//, ''))
        .filter((path) => /^[^/]*\.(?:md|csv)$/.test(path)),
    ).toEqual([
      'Round trip.md',
      '# Not a [heading](x).md',
      'Notes a b c d.md',
      'Repairs.csv',
      'Untitled.md',
      'notes a b c d (2).md',
      'Workshop handbook.md',
    ])
  })

  it('preserve a workspace: its second export equals the first', async () => {
    const outcome = await cli.json('workspace', 'import', first, '--workspace', workspace, '--name', 'Again')
    expect(lossesOf(outcome)).toEqual(SAMPLE_LOSSES)
    expect(outcome).toMatchObject(Object(outcome['found']))
    const second = newPath()
    await cli.json('workspace', 'export', workspace, second, '--format', 'markdown')
    expect(below(sample, '')['workspace.json']).toHaveLength(2)
    expect(below(await filesOf(second), 'Again/')).toEqual(below(sample, ''))
  })
})

describe('workspace export --format markdown', () => {
  it('lists files whose bytes are missing, and exports the rest', async () => {
    const elsewhere = new InProcessCommandLine(store.url, { FILES_URL: `file:${scratchFolder('files-')}` })
    const path = newPath()
    const outcome = await elsewhere.json('workspace', 'export', workspace, path, '--format', 'markdown')
    expect(lossesOf(outcome)).toContain('file Round trip/files/plan.pdf: Its bytes are not in the file storage.')
    expect(Object.keys(await filesOf(path)).filter((name) => name.includes('/files/'))).toEqual([])
  })
})

/** The planted content below a folder. */
function below(files: Readonly<Record<string, unknown>>, folder: string): Record<string, unknown> {
  const start = `${folder}Round trip`
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, content]) => {
      if (path === 'workspace.json') return [[path, schemasBelow(content, folder)]]
      return path.startsWith(start) ? [[path.slice(folder.length), content]] : []
    }),
  )
}

/** The databases of a manifest, with the schemas of their data sources. */
function schemasBelow(manifest: unknown, folder: string): string[] {
  const { databases } = manifest as { readonly databases: readonly unknown[] }
  return databases
    .map((database) => JSON.stringify(database))
    .filter((database) => database.includes(`"${folder}Round trip/`))
    .map((database) => database.replaceAll(`"${folder}Round trip/`, '"Round trip/'))
}
