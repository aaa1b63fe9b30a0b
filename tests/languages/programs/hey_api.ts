import { client } from './workspace/client.gen'
import { createPage, listBlockChildren, listUsers, queryDataSource } from './workspace/sdk.gen'

client.setConfig({ baseUrl: process.env['SERVICE'] ?? '', auth: () => process.env['TOKEN'] ?? '' })
const headers = { 'Service-Version': '2026-03-11' } as const
const dataSource = { data_source_id: 'bce1cb34-00e2-47d7-9eda-7e46a386c4a7' }

function done(call: string, holds: boolean): void {
  if (!holds) throw new Error(call)
  console.log('ok', call)
}

const users = await listUsers({ headers })
done('list users', users.data?.results.some(({ name }) => name === 'Ines Varga') ?? false)

const page = await createPage({
  headers,
  body: {
    parent: { page_id: '5df6f817-b099-4bcf-a0ec-6db25097c040' },
    properties: { title: [{ text: { content: 'Tide table' } }] },
    children: [
      { heading_2: { rich_text: [{ text: { content: 'Saturday' } }] } },
      {
        toggle: {
          rich_text: [{ text: { content: 'High water' } }],
          children: [{ to_do: { rich_text: [{ text: { content: '11:40, check the sill' } }] } }],
        },
      },
    ],
  },
})
const id = page.data !== undefined && 'id' in page.data ? String(page.data.id) : ''
done('create a page', id !== '')

const blocks = await listBlockChildren({ headers, path: { block_id: id } })
const [heading, toggle] = blocks.data?.results ?? []
const nested = await listBlockChildren({ headers, path: { block_id: toggle?.id ?? '' } })
const isWhole = heading?.heading_2?.rich_text[0]?.plain_text === 'Saturday' && nested.data?.results[0]?.to_do?.checked === false
done('read it back', isWhole)

const byTitle = { filter: { property: 'Job', title: { contains: 'keel' } } }
const rows = await queryDataSource({ headers, path: dataSource, body: byTitle })
done('query with a filter', rows.data?.results.length === 1)

const byNothing = { filter: { property: 'Nothing', title: { contains: 'keel' } } }
const refused = await queryDataSource({ headers, path: dataSource, body: byNothing })
done('decode an error', refused.error !== undefined && 'code' in refused.error && refused.error.code === 'validation_error')
