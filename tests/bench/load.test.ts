import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { encode, LoadConnection } from '../../bench/load/connection.ts'
import { pairedRatio, quantile } from '../../bench/statistics.ts'

let server: Server | undefined
afterEach(() => void server?.close())

/** Sends these bytes as the response to every request, in chunks of the given size. */
async function connectTo(response: string, piece: number, after: 'stays' | 'then closes' = 'stays'): Promise<LoadConnection> {
  server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.on('data', async () => {
      for (let at = 0; at < response.length; at += piece) {
        socket.write(response.slice(at, at + piece), 'latin1')
        await new Promise((later) => setImmediate(later))
      }
      if (after === 'then closes') socket.end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server?.once('listening', listening))
  return LoadConnection.open(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
}

const withLength = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nhello world'
const chunked = 'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'
const empty = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

describe('LoadConnection', () => {
  it.each([
    [200, withLength, 1000],
    [200, withLength, 7],
    [200, withLength, 1],
    [404, chunked, 1000],
    [404, chunked, 3],
    [404, chunked, 1],
    [200, empty, 1000],
    [200, empty, 5],
  ])(
    'reports the status %i once the whole response has arrived, for consecutive responses: %j in pieces of %i bytes',
    async (status, response, piece) => {
      const connection = await connectTo(response, piece)
      for (let round = 0; round < 5; round += 1) expect(await connection.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBe(status)
      connection.close()
    },
  )

  it('fails when the server disconnects during a response', async () => {
    const connection = await connectTo(withLength.slice(0, -3), 1000, 'then closes')
    await expect(connection.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).rejects.toThrow('closed a connection')
  })

  it('sends the length of a body in bytes', () => {
    const text = encode(
      { method: 'POST', path: '/v1/pages', headers: { Authorization: 'Bearer x' }, body: '{"a":"⛵"}' },
      'localhost:1',
    ).toString()
    expect(text).toBe(
      'POST /v1/pages HTTP/1.1\r\nHost: localhost:1\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"a":"⛵"}',
    )
  })
})

describe('statistics', () => {
  it.each([
    [[1, 2, 3], 0.5, 2],
    [[1, 2, 3, 4], 0.5, 2.5],
    [[5], 0.99, 5],
    [[0, 10], 0.25, 2.5],
  ])('the quantile of %j at %f is %f', (values, share, expected) => expect(quantile(values, share)).toBe(expected))
  it('figures are compared only with figures of the same round', () => {
    expect(pairedRatio([10, 100, 30], [5, 100, 10])).toBe(2)
    expect(pairedRatio([1], [])).toBeUndefined()
  })
})
