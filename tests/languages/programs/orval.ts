import { createPage, listBlockChildren, listUsers, queryDataSource } from './workspace'

const dataSource = 'bce1cb34-00e2-47d7-9eda-7e46a386c4a7'

function done(call: string, holds: boolean): void {
  if (!holds) throw new Error(call)
  console.log('ok', call)
}

const users = await listUsers()
done('list users', users.status === 200 && users.data.results.some(({ name }) => name === 'Ines Varga'))

const page = await createPage({
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
})
const id = page.status === 200 ? page.data.id : ''
done('create a page', id !== '')

const blocks = await listBlockChildren(id)
const [heading, toggle] = blocks.status === 200 ? blocks.data.results : []
const nested = await listBlockChildren(toggle?.id ?? '')
const [entry] = nested.status === 200 ? nested.data.results : []
done('read it back', heading?.heading_2?.rich_text[0]?.plain_text === 'Saturday' && entry?.to_do?.checked === false)

const rows = await queryDataSource(dataSource, { filter: { property: 'Job', title: { contains: 'keel' } } })
done('query with a filter', rows.status === 200 && rows.data.results.length === 1)

const refused = await queryDataSource(dataSource, { filter: { property: 'Nothing', title: { contains: 'keel' } } })
done('decode an error', refused.status === 400 && refused.data.code === 'validation_error')
