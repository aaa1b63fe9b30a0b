import { BlocksApi, Configuration, DataSourcesApi, PagesApi, ResponseError, UsersApi } from './workspace'

const settings = new Configuration({ basePath: process.env['SERVICE'] ?? '', accessToken: process.env['TOKEN'] ?? '' })
const blocks = new BlocksApi(settings)
const dataSources = new DataSourcesApi(settings)
const serviceVersion = '2026-03-11'
const dataSourceId = 'bce1cb34-00e2-47d7-9eda-7e46a386c4a7'

function done(call: string, holds: boolean): void {
  if (!holds) throw new Error(call)
  console.log('ok', call)
}

const users = await new UsersApi(settings).listUsers({ serviceVersion })
done(
  'list users',
  users.results.some(({ name }) => name === 'Ines Varga'),
)

const page = await new PagesApi(settings).createPage({
  serviceVersion,
  createPageRequest: {
    parent: { pageId: '5df6f817-b099-4bcf-a0ec-6db25097c040' },
    properties: { title: [{ text: { content: 'Tide table' } }] },
    children: [
      { heading2: { richText: [{ text: { content: 'Saturday' } }] } },
      {
        toggle: {
          richText: [{ text: { content: 'High water' } }],
          children: [{ toDo: { richText: [{ text: { content: '11:40, check the sill' } }] } }],
        },
      },
    ],
  },
})
done('create a page', page.object === 'page')

const [heading, toggle] = (await blocks.listBlockChildren({ serviceVersion, blockId: page.id })).results
const [entry] = (await blocks.listBlockChildren({ serviceVersion, blockId: toggle?.id ?? '' })).results
done('read it back', heading?.heading2?.richText[0]?.plainText === 'Saturday' && entry?.toDo?.checked === false)

const byTitle = { filter: { property: 'Job', title: { contains: 'keel' } } }
const rows = await dataSources.queryDataSource({ serviceVersion, dataSourceId, dataSourceQueryRequest: byTitle })
done('query with a filter', rows.results.length === 1)

const byNothing = { filter: { property: 'Nothing', title: { contains: 'keel' } } }
const query = dataSources.queryDataSource({ serviceVersion, dataSourceId, dataSourceQueryRequest: byNothing })
const refused = await query.catch((error: unknown) => error)
const body = refused instanceof ResponseError ? await refused.response.json() : {}
done('decode an error', body.status === 400 && body.code === 'validation_error')
