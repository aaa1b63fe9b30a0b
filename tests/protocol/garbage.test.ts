import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadContractDocument } from '../../server/contract/contract_document.ts'
import type { TestResponse } from '../harness/responses.ts'
import { commentOn } from '../harness/comments.ts'
import { makePage } from '../harness/content.ts'
import { engine } from '../harness/databases.ts'
import { exampleCall, servedWith, takesJson } from '../harness/every_operation.ts'
import { idOf } from '../harness/json.ts'
import { sendBytes } from '../harness/raw_socket.ts'
import { Samples } from '../../scripts/samples.ts'
import { mutate } from '../harness/mutants.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

/** Every input gets a response of the contract, never 500 and never silence. */

const TIMEOUT_MS = 5_000
/** Most garbage fails before it reaches the database: the second engine runs a third of the cases. */
const runs = (count: number): number => (engine === 'sqlite' ? count : Math.ceil(count / 3))

const server = await serverOfFile()
const page = await makePage(server.owner)
const comment = idOf(await commentOn(server.owner, page))

async function inTime(work: Promise<TestResponse>): Promise<TestResponse> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the server hangs')), TIMEOUT_MS)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

describe('the server responds without a fault to', () => {
  const { paths, components } = loadContractDocument()
  const samples = new Samples(components.schemas)

  const written = servedWith('bearer', 'connection').filter(takesJson)

  it.each(written.map((operation) => [operation.id, operation] as const))(
    'samples and mutants of the schema of %s',
    async (id, operation) => {
      const schema = paths[operation.path]?.[operation.method]?.requestBody?.content['application/json']?.schema ?? {}
      const target = { ...exampleCall(operation).path, block_id: page, page_id: page, comment_id: comment }
      await fc.assert(
        fc.asyncProperty(fc.gen(), fc.boolean(), async (draw, isMutant) => {
          const sample = samples.draw(schema, draw)
          const { status } = await inTime(
            server.owner.call(id, { path: target, body: isMutant ? mutate(sample, draw).body : sample }),
          )
          expect([200, 202, 400, 404, 409, 503]).toContain(status)
        }),
        // Limits the total time, however many operations there are.
        { numRuns: runs(Math.max(15, Math.ceil(360 / written.length))) },
      )
    },
  )

  it('any JSON as any body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('updateBlock', 'appendBlockChildren', 'createPage', 'updatePage'),
        fc.jsonValue({ noUnicodeString: false }),
        async (id, body) => {
          const { status } = await inTime(server.owner.call(id, { path: { block_id: page, page_id: page }, body }))
          expect([200, 400]).toContain(status)
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it('any bytes as a body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('application/json', 'text/plain', 'application/json; charset=x', '\t'),
        async (bytes, type) => {
          const { status } = await inTime(
            server.owner.send('PATCH', `/v1/blocks/${page}/children`, {
              headers: { 'Content-Type': type },
              body: Buffer.from(bytes),
            }),
          )
          expect(status).toBe(400)
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it('any path and query by any method', async () => {
    const segment = fc.oneof(
      fc.constantFrom('v1', 'pages', 'blocks', 'users', 'me', 'children', 'custom_emojis', '..', '%2e', '%', page, ''),
      fc.webSegment(),
    )
    const query = fc.oneof(
      fc.webQueryParameters(),
      fc.constantFrom('page_size=1', 'start_cursor=x', 'name=%00', 'filter_properties[]=', '&&&', '=', '[]=1', 'page_size[a]=1'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE'),
        fc.array(segment, { maxLength: 5 }),
        query,
        async (method, segments, text) => {
          // Excludes deletions of sample pages, which are valid.
          const target = `/v1/${segments.join('/')}?${text}`.replaceAll(/[^\x21-\x7e]/g, '_')
          const { status } = await inTime(
            server.owner.send(method === 'DELETE' && target.includes(page) ? 'GET' : method, target),
          )
          expect([200, 204, 400, 404, 503]).toContain(status)
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it('any header values', async () => {
    const value = fc.string({
      unit: fc.constantFrom(...Array.from({ length: 95 }, (_none, index) => String.fromCharCode(32 + index))),
      maxLength: 200,
    })
    const name = fc.constantFrom(
      'Service-Version',
      'Service-Beta',
      'Authorization',
      'Accept',
      'Content-Type',
      'Idempotency-Key',
      'Content-Encoding',
      'If-None-Match',
      'Range',
      'X-Forwarded-For',
      'Origin',
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }), async (headers) => {
        const { status } = await inTime(server.owner.send('PATCH', `/v1/blocks/${page}`, { headers, body: '{}' }))
        expect([200, 400, 401, 429]).toContain(status)
      }),
      { numRuns: runs(100) },
    )
  })

  it('any bytes on the socket', async () => {
    const line = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom(
        'GET / HTTP/1.1',
        'Host: x',
        'Content-Length: -1',
        'Transfer-Encoding: chunked',
        `Authorization: Bearer ${TOKEN}`,
        '\u0000',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
        const { status } = await sendBytes(server.url, `?${lines.join('\r\n')}\r\n\r\n`)
        expect(status).toBe(400)
      }),
      { numRuns: runs(40) },
    )
  })

  it('a normal request after random input', async () => {
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
  })
})
