import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ConformClient } from '../../conformance/src/conform/conform_client.ts'
import { IdPool } from '../../conformance/src/conform/id_pool.ts'
import { ReadOnlyRun } from '../../conformance/src/conform/read_only.ts'
import type { RunResult } from '../../conformance/src/report/run_result.ts'
import { Run } from '../../conformance/src/run.ts'
import { operations } from '../../generated/operations.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { startAlteringServer, type Alteration } from './support/altering_server.ts'

const service = await serverOfFile()
const altering = await startAlteringServer(service.url)
afterAll(() => altering.stop())
beforeEach(() => {
  altering.alteration = () => undefined
})

async function conform(url: string, only?: readonly string[]): Promise<RunResult> {
  const run = new Run('conform', url)
  const client = new ConformClient(run, new URL(url), TOKEN)
  const some = only ? { only: new Set(only) } : {}
  await new ReadOnlyRun({ client, run, pool: new IdPool(), samples: 1, ...some, onProgress: () => undefined }).run()
  return run.result
}

/** The findings for altered responses, as `operation rule location keyword`. */
async function foundBy(alteration: Alteration, ...only: string[]): Promise<string[]> {
  altering.alteration = alteration
  return (await conform(altering.url, only)).findings.map(({ key }) => key)
}

async function bodyOf(target: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Service-Version': '2026-03-11' }
  return (await fetch(service.url + target, { headers })).json()
}

interface UserList {
  readonly results: { id: string }[]
  has_more: boolean
}

describe('conform, read-only', () => {
  it('finds no fault in the service, and reports for every operation whether it was covered', async () => {
    const { findings, operations: called, notCovered } = await conform(service.url)
    expect(findings).toEqual([])
    const named = new Set([...Object.keys(called), ...Object.keys(notCovered)])
    expect(Object.keys(operations).filter((id) => !named.has(id))).toEqual([])
    expect(Object.keys(called)).toEqual(
      expect.arrayContaining([
        'retrievePage',
        'listBlockChildren',
        'queryDataSource',
        'retrievePageProperty',
        'search',
        'retrieveDatabase',
      ]),
    )
    expect(notCovered).toMatchObject({ createPage: 'it writes', createToken: 'it requires a client id and secret' })
  })

  it('reports a header that every response of an operation lacks', async () => {
    const found = await foundBy(({ headers }) => void delete headers['cache-control'], 'retrieveMe')
    expect(found).toContain('retrieveMe header header Cache-Control required')
  })

  it('reports pages of a list that contradict each other', async () => {
    const reversed: Alteration = ({ status, body }, { url }) => {
      if (status === 200 && url.includes('page_size=2')) (body as UserList).results.reverse()
    }
    expect(await foundBy(reversed, 'listUsers')).toContain('listUsers paging body.results order')
  })

  it('reports a page with more items than requested', async () => {
    const twice: Alteration = ({ status, body }) => {
      if (status === 200) (body as UserList).results.push(...(body as UserList).results)
    }
    const found = await foundBy(twice, 'listUsers')
    expect(found).toContain('listUsers paging body.results page_size')
    expect(found).toContain('listUsers paging body.results uniqueItems')
  })

  it('reports invalid requests that the server accepts', async () => {
    const me = await bodyOf('/v1/users/me')
    const lenient: Alteration = (response, { url }) => {
      if (response.status < 400 || !url.startsWith('/v1/users')) return
      response.status = 200
      response.body = me
    }
    expect(await foundBy(lenient, 'listUsers', 'retrieveUser')).toEqual(
      expect.arrayContaining([
        'retrieveUser accepted-request path.user_id existence',
        'listUsers accepted-request query.start_cursor value',
        'listUsers accepted-request query.page_size minimum',
        'retrieveMe accepted-request header Authorization value',
        'retrieveMe accepted-request header Service-Version value',
      ]),
    )
  })

  it('reports an operation that refuses every request', async () => {
    const refusal = await bodyOf('/v1/users?page_size=0')
    const strict: Alteration = (response, { url }) => {
      if (!/^\/v1\/users(?:\?|$)/.test(url)) return
      response.status = 400
      response.body = refusal
    }
    expect(await foundBy(strict, 'listUsers')).toContain('listUsers refused-request request accepted')
  })

  it('does not report an operation that needs an object missing from the workspace', async () => {
    const { findings, notCovered } = await conform(service.url, ['listDatabaseViews'])
    expect(findings).toEqual([])
    expect(notCovered).toEqual({ listDatabaseViews: 'every response was an error, the last one 400' })
  })

  it('reports a version that the server does not support', async () => {
    const refusal = await bodyOf('/v1/users?page_size=0')
    const forgetful: Alteration = (response, { version }) => {
      if (version !== '2022-06-28') return
      response.status = 400
      response.body = refusal
    }
    expect(await foundBy(forgetful, 'retrieveMe')).toContain('retrieveMe refused-request header Service-Version accepted')
  })

  it('waits as long as Retry-After requests', async () => {
    let refusals = 2
    const busy: Alteration = (response) => {
      if ((refusals -= 1) < 0) return
      response.status = 529
      response.headers['retry-after'] = '0'
      response.body = {}
    }
    altering.alteration = busy
    const run = new Run('conform', altering.url)
    const waits: number[] = []
    const client = new ConformClient(run, new URL(altering.url), TOKEN, { onWait: (seconds) => waits.push(seconds) })
    const { status } = await client.call(operations.retrieveMe)
    expect({ status, waits }).toEqual({ status: 200, waits: [0, 0] })
  })

  it('reports that no server responds', async () => {
    await expect(conform('http://127.0.0.1:1')).rejects.toThrow('http://127.0.0.1:1 does not respond: ')
  })
})
