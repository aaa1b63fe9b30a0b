import type { Caller } from '../../harness/caller.ts'
import { append, appendOne, block, makePage, paragraph } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { png, upload } from '../../harness/files.ts'
import { idOf } from '../../harness/json.ts'

/** The ids of planted content. */
export interface Planted {
  readonly page: string
  readonly synced: string
  /** Copies of the synced block, in order. */
  readonly mirrors: readonly string[]
  readonly dataSource: string
}

/**
 * Plants content that the sample lacks: many blocks, nested blocks, synced blocks before their original, uploads, long lists, and formulas
 * that depend on others.
 */
export async function plantMore(owner: Caller): Promise<Planted> {
  const page = await makePage(owner, 'Long')
  const toggle = await appendOne(owner, page, block('toggle', 'First'))
  const inner = await appendOne(owner, toggle, block('toggle', 'Second'))
  await append(owner, inner, [block('to_do', 'Third', { children: [paragraph('Fourth')] })])
  for (const part of [0, 1])
    await append(
      owner,
      page,
      Array.from({ length: 80 }, (_, index) => paragraph(`Line ${part} ${index}`)),
    )
  const synced = await appendOne(owner, page, { synced_block: { synced_from: null, children: [paragraph('Everywhere')] } })
  const mirror = { synced_block: { synced_from: { block_id: synced } } }
  const mirrors = await append(owner, page, [mirror, mirror], { position: { type: 'start' } })
  const picture = await upload(owner, png, 'tide.png', 'image/png')
  const table = await upload(owner, 'High water at noon', 'tide.txt', 'text/plain')
  const tides = await upload(owner, '<p>High water at noon</p>', 'tide.html', 'text/html')
  await append(owner, page, [
    { image: { file_upload: { id: picture } } },
    { file: { file_upload: { id: table } } },
    { embed: { file_upload: { id: tides } } },
  ])
  await makePage(owner, 'Below', page)
  await append(owner, page, [paragraph('After the page below')])
  const boats = await makeDatabase(owner, page)
  await addFormulas(owner, boats.sourceId)
  const fleet = await makeDatabase(owner, page, { Boats: { relation: { data_source_id: boats.sourceId, single_property: {} } } })
  const links: object[] = []
  for (let index = 0; index < 30; index += 1) links.push({ id: idOf(await makeRow(owner, boats.sourceId)) })
  await makeRow(owner, fleet.sourceId, { Boats: { relation: links } })
  return { page, synced, mirrors: mirrors.map(idOf), dataSource: boats.sourceId }
}

/** Adds formulas that depend on later ones. */
async function addFormulas(owner: Caller, dataSource: string): Promise<void> {
  const formulas = [
    { Deck: '1', Hull: '2', Keel: '3' },
    { Deck: 'prop("Hull") + 1', Hull: 'prop("Keel") + 1' },
  ]
  for (const expressions of formulas) {
    const properties = Object.entries(expressions).map(([name, expression]) => [name, { formula: { expression } }])
    const body = { properties: Object.fromEntries(properties) }
    const response = await owner.call('updateDataSource', { path: { data_source_id: dataSource }, body })
    if (response.status !== 200) throw new Error(response.text)
  }
}
