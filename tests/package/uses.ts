/**
 * A program that uses every export of the package.
 * @param token of the connection in the service that it starts
 */
export const usesOf = (token: string): string => `
import { ConfigError, parseConfig, startService, type Config, type RunningService } from 'workspace-service'
import { createRouter, ServiceError, type Handlers } from 'workspace-service/server'
import { jsonSchema, newestRelease, operations, readContract, type PageObject } from 'workspace-service/contract'
import { createWorkspaceClient, type Block } from 'workspace-service/client'
import { contractFakes, type ContractFakes } from 'workspace-service/msw'
import { createTestServer, type TestServer } from 'workspace-service/testing'
import type { useTestServer as useWithNode } from 'workspace-service/testing/node'
import type { useTestServer as useWithJest } from 'workspace-service/testing/jest'
import type { useTestServer as useWithVitest } from 'workspace-service/testing/vitest'
import examples from 'workspace-service/contract/examples.json' with { type: 'json' }
import schemas from 'workspace-service/contract/schemas.json' with { type: 'json' }
import document from 'workspace-service/contract/openapi.json' with { type: 'json' }
import seedSchema from 'workspace-service/testing/seed.schema.json' with { type: 'json' }
import manifest from 'workspace-service/package.json' with { type: 'json' }
import { existsSync } from 'node:fs'

const config: Config = parseConfig({ DATABASE_URL: 'sqlite::memory:', PORT: '0', BOOTSTRAP_TOKEN: '${token}', LOG_LEVEL: 'silent' })
const service: RunningService = await startService(config)
const client = createWorkspaceClient({ baseUrl: service.url, token: '${token}' })
const me = await client.users.me.retrieve()
await service.stop()

const server: TestServer = await createTestServer({ port: 'none', seed: 'tide' })
const tested = createWorkspaceClient({ baseUrl: server.url, token: server.token, fetch: server.fetch })
await server.snapshot('empty')
await tested.pages.create({ markdown: 'Low water at nine' })
await server.restore('empty')
const { results } = await tested.search()
await server.close()

const router = createRouter({
  authenticate: async ({ headers }) => headers.authorization,
  handlers: {
    retrieveUser: async ({ path, caller }) => {
      if (path.user_id !== caller) throw new ServiceError('object_not_found', { message: 'This user does not exist.' })
      return { object: 'user', id: caller, type: 'person', name: caller, avatar_url: null, person: {} }
    },
  },
})
// @ts-expect-error there is no such operation
createRouter({ authenticate: async () => 'me', handlers: { retrieveNobody: async () => ({}) } })
export type Used = [typeof useWithNode, typeof useWithJest, typeof useWithVitest]
export type Named = [Handlers<object, File>, PageObject, Block, ConfigError]

const fakes: ContractFakes = contractFakes({ baseUrl: 'https://workspace.example' })
fakes.respond('retrievePage', { example: 'in_trash' })
// @ts-expect-error there is no such example
export const inSpring = () => fakes.respond('retrievePage', { example: 'in_spring' })

// These files are not modules.
const files = ['workspace-service/contract/openapi.yaml', 'workspace-service/contract/openapi.sdk.yaml']
const missing = files.filter((file) => !existsSync(new URL(import.meta.resolve(file))))

const contract = await readContract(newestRelease)
const schema = jsonSchema(contract, 'PageObject')
console.log(
  JSON.stringify([
    me.object,
    results.length,
    router.notImplemented.length,
    operations.retrievePage.id,
    contract.openapi,
    schema?.['title'],
    jsonSchema(contract, 'toString') === undefined,
    examples.RetrieveComment.object,
    document.openapi,
    (await readContract('2022-06-28')).info['version'],
    schemas.Comment.$schema,
    seedSchema.$schema,
    missing,
    manifest.name,
  ]),
)
`

/** The specifiers of a program that belong to the package. */
export function specifiersIn(program: string): string[] {
  return [...program.matchAll(/'workspace-service(\/[^']+)?'/g)].map(([, path = '']) => `.${path}`)
}

/** Whether a key of `exports`, which may contain one asterisk, serves a specifier. */
export function isServedBy(key: string, specifier: string): boolean {
  const [start = '', end] = key.split('*')
  return end === undefined ? specifier === key : specifier.startsWith(start) && specifier.endsWith(end)
}
