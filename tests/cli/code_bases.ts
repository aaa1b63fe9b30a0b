/**
 * Small code bases by file. `//! F2` at the end of a line names the changes that the line has to follow, `//? E9` those that a person has to
 * check; `deprecated` is the deprecation of an operation.
 */
type SourceFiles = Readonly<Record<string, string>>

/** A client in the style of `new Client({ auth })`, in TypeScript with helpers and types of the package. */
export const classClient: SourceFiles = {
  'lib/api.ts': `
import { Client } from '@example/api-client'

export const api = new Client({ auth: process.env.API_TOKEN, apiVersion: '2022-06-28' })

export async function getDatabase(id: string) {
  const database = await api.databases.retrieve({ database_id: id }) //? E9 E10
  return database
}
export class Store {
  constructor(private readonly client: Client) {}
  async remove(page_id: string) {
    return this.client.pages.update({ page_id, archived: true }) //! F2 //? E5
  }
}
`,
  'main.ts': `
import { iteratePaginatedAPI, type PageObjectResponse, type GetPageResponse } from '@example/api-client'
import { api, getDatabase, Store } from './lib/api.js'

async function columns(id: string): Promise<string[]> {
  const database = await getDatabase(id)
  return Object.keys(database.properties) //! E1
}
const titleOf = (page: PageObjectResponse) => (page.archived ? 'gone' : page.url) //! F2
const isGone = ({ archived }: GetPageResponse) => archived //! F2

export async function sync(id: string, text: string, other: { archived: boolean }) {
  const { results } = await api.databases.query({ database_id: id, page_size: 10 }) //! deprecated //? E5 E6 E9 E10
  for (const page of results) if (page.archived) continue //! F2
  const gone = results.filter((page) => page.archived).map((page) => page.url) //! F2
  await api.blocks.children.append({
    block_id: id,
    after: id, //! F1
    children: [paragraph(text)],
  })
  for await (const block of iteratePaginatedAPI(api.blocks.children.list, { block_id: id })) {
    if (block.type === 'transcription') console.log(block.transcription.title) //! F3
    switch (block.type) {
      case 'paragraph':
        console.log(block.paragraph.rich_text)
        break
      case 'transcription': //! F3
        break
    }
  }
  await api.search({ query: text, filter: { property: 'object', value: 'database' } }) //! E6
  await api.databases.create({
    parent: { page_id: id },
    properties: { Other: { relation: { database_id: id, single_property: {} } } }, //! E7
  })
  const me = await api.users.me({})
  const [page] = await Promise.all([api.pages.retrieve({ page_id: id })]) //? E5
  const { body } = await api.request({ path: \`pages/\${id}\`, method: 'patch', body: { archived: true } }) //! F2 //? E5
  await new Store(api).remove(id)
  return [columns, titleOf, isGone, gone, me.name, page.archived, other.archived, body] //! F2 //? F2
}

function paragraph(content: string) {
  return { object: 'block', type: 'paragraph', paragraph: { rich_text: [{ text: { content } }] } }
}
`,
  'node_modules/other/index.js': `client.pages.update({ page_id: '', archived: true })`,
}

/** This service's client, by resource, by operation id and as openapi-fetch. */
export const ownClient: SourceFiles = {
  'sync.ts': `
import { createWorkspaceClient, isBlock } from '@workspace-service/client'
import { createFetchClient } from '@workspace-service/client/fetch'

const service = createWorkspaceClient({ baseUrl: '', token: '', version: '2025-09-03' })
const bare = createFetchClient({ baseUrl: '' })

class Sync {
  readonly #service = service
  async pages(id: string) {
    return this.#service.pages.retrieve({ page_id: id })
  }
  async run(id: string) {
    const page = await this.pages(id)
    if ('archived' in page && page.archived) return //! F2
    await this.#service.pages.update({ page_id: id, archived: false }) //! F2
    const { data } = await bare.GET('/v1/pages/{page_id}', { params: { path: { page_id: id } } })
    console.log(data?.archived) //! F2
    await service.call('updatePage', { path: { page_id: id }, body: { archived: true } }) //! F2
    for (const block of await service.blocks.children.list({ block_id: id }).all({ limit: 10 }))
      if (isBlock('transcription', block)) //? F3
        console.log(block.transcription.title) //! F3
    const { data: user } = await service.users.me.retrieve().withResponse()
    return user.name
  }
}
`,
  'view.tsx': `
import type { PageObject } from '@workspace-service/client'

export const Row = ({ page }: { page: PageObject }) => <li className={page.archived ? 'gone' : ''}>{page.id}</li> //? F2
`,
}

/** JavaScript with \`require\`, of the time before 2022-02-22. */
export const oldScript: SourceFiles = {
  'api.cjs': `
const { Client } = require('@example/api-client')
const api = new Client({ auth: process.env.API_TOKEN })
module.exports = { api, firstText: (block) => block.paragraph.text[0].plain_text } //! C1
`,
  'main.cjs': `
const { api, firstText } = require('./api.cjs')
module.exports = async (id) => {
  const all = await api.databases.list() //! C4
  const block = await api.blocks.retrieve({ block_id: id })
  await api.blocks.update({ block_id: id, to_do: { text: [], checked: true } }) //! C1
  await api.databases.query({ database_id: id, filter: { property: 'Name', text: { contains: 'x' } } }) //! C2
  api.pages.retrieve({ page_id: id }).then((page) => console.log(page.url))
  return [all.results.length, firstText(block)]
}
`,
}
