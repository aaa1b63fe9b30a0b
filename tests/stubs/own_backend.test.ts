import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, createWorkspaceClient, type WorkspaceClient } from '../../client/src/index.ts'
import { operations } from '../../generated/operations.ts'

/** `own_backend/` is a project as another developer would have it: three handlers, and the contract with one import. */

const root = resolve(import.meta.dirname, '../..')
const PAGE = '5df6f817-b099-4bcf-a0ec-6db25097c040'

let backend: ChildProcess
let url: string
let announced: string
let guest: WorkspaceClient
beforeAll(async () => {
  backend = spawn(process.execPath, [join(import.meta.dirname, 'own_backend/server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  announced = ''
  for await (const chunk of backend.stdout ?? []) if ((announced += String(chunk)).includes('listens on')) break
  url = /listens on (\S+)/.exec(announced)?.[1] ?? ''
  guest = createWorkspaceClient({ baseUrl: url, token: 'door-key', retries: 0 })
})
afterAll(() => backend.kill())

async function refusalOf(call: Promise<unknown>): Promise<ApiError> {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(thrown instanceof ApiError)) throw new Error('the backend did not refuse', { cause: thrown })
  return thrown
}

it('the README of the package shows the smallest backend in a form that compiles', async () => {
  const smallest = await readFile(join(import.meta.dirname, 'own_backend/smallest.ts'), 'utf8')
  expect(await readFile(join(root, 'PACKAGE.md'), 'utf8')).toContain(`\`\`\`js\n// members/router.mjs\n${smallest}\`\`\``)
})

describe('a backend on the router', () => {
  it('compiles in strict mode against the package’s name', async () => {
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
    const run = promisify(execFile)(process.execPath, [compiler, '-p', join(import.meta.dirname, 'own_backend')])
    await expect(run).resolves.toMatchObject({ stdout: '' })
  })

  it('serves the client by its handlers', async () => {
    const made = await guest.comments.create({ parent: { page_id: PAGE }, markdown: 'The sill is dry.' })
    expect(await guest.comments.retrieve({ comment_id: made.id })).toMatchObject({
      id: made.id,
      parent: { page_id: PAGE },
      rich_text: [{ plain_text: 'The sill is dry.' }],
    })
    const ids = await Array.fromAsync(guest.comments.list({ block_id: PAGE }), ({ id }) => id)
    expect(ids).toEqual([made.id])
  })

  it('400 validation_error with the exact location of a fault, before any handler runs', async () => {
    // @ts-expect-error a number is not a text
    const wrong: string = 7
    const body = { parent: { page_id: PAGE }, rich_text: [{ text: { content: wrong } }] }
    const refusal = await refusalOf(guest.comments.create(body))
    expect(refusal).toMatchObject({ status: 400, code: 'validation_error' })
    expect(refusal.message).toContain('body.rich_text[0].text.content should be a string, instead was `7`')
    const ids = await Array.fromAsync(guest.comments.list({ block_id: PAGE }))
    expect(ids).toHaveLength(1)
  })

  it('404 object_not_found when a handler throws that error', async () => {
    const refusal = await refusalOf(guest.comments.retrieve({ comment_id: randomUUID() }))
    expect(refusal).toMatchObject({ status: 404, code: 'object_not_found' })
    expect(refusal.requestId).toBe(refusal.headers.get('X-Service-Request-Id'))
  })

  it('401 unauthorized for an unknown caller, before the request is validated', async () => {
    const stranger = createWorkspaceClient({ baseUrl: url, token: 'nobody', retries: 0 })
    const refusal = await refusalOf(stranger.comments.create({ markdown: 'x'.repeat(10) }))
    expect(refusal).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(await refusalOf(stranger.users.me.retrieve())).toMatchObject({ status: 401 })
    expect(refusal.headers.get('WWW-Authenticate')).toBe(
      `Bearer realm="api", error="invalid_token", resource_metadata="${url}/.well-known/oauth-protected-resource"`,
    )
  })

  it('503 service_unavailable for an operation without a handler; the router announces how many lack one', async () => {
    const refusal = await refusalOf(guest.users.me.retrieve())
    expect(refusal).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(refusal.message).toContain('retrieveMe')
    // If you are here because the number differs: the backend beside this test has three handlers; adding or removing one changes the
    // number here, too.
    const forPrograms = Object.values(operations).filter(({ credentials }) => credentials !== 'none')
    expect(announced).toContain(`${forPrograms.length - 3} operations are still to come`)
  })
})
