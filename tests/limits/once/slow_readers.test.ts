import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listen, type Listener } from '../../../server/http/listener.ts'

/** Clients that send many requests and read no response must be disconnected. */

const IDLE_MS = 1000
const MUCH = Buffer.alloc(16 * 1024 * 1024, 'x')

let listener: Listener | undefined
afterEach(() => listener?.closeAtOnce())

/**
 * The lifetime of a response whose receiver behaves like `take`.
 * @returns milliseconds, and whether it was sent completely
 */
async function lifetimeOfResponse(take: (socket: ReturnType<typeof connect>) => void): Promise<{ ms: number; isWhole: boolean }> {
  const ended = Promise.withResolvers<{ ms: number; isWhole: boolean }>()
  listener = await listen(
    { host: '127.0.0.1', port: 0 },
    undefined,
    {
      onRequest: (_request, response) => {
        const startedAt = performance.now()
        response.once('close', () => ended.resolve({ ms: performance.now() - startedAt, isWhole: response.writableFinished }))
        response.end(MUCH)
      },
      onMalformedRequest: (_error, socket) => socket.destroy(),
      onTlsFailure: () => undefined,
      onConnection: () => undefined,
      onSecureConnection: () => undefined,
    },
    IDLE_MS,
  )
  const { hostname, port } = new URL(listener.url)
  const socket = connect(Number(port), hostname, () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.on('error', () => undefined)
  take(socket)
  return ended.promise.finally(() => socket.destroy())
}

describe('a response', () => {
  it('is aborted when the client does not read', async () => {
    const { isWhole } = await lifetimeOfResponse((socket) => socket.pause())
    expect(isWhole).toBe(false)
  })

  it('arrives completely when the client reads slowly', async () => {
    const { ms, isWhole } = await lifetimeOfResponse((socket) =>
      socket.on('data', () => {
        socket.pause()
        setTimeout(() => socket.resume(), 6)
      }),
    )
    expect(isWhole).toBe(true)
    expect(ms).toBeGreaterThan(IDLE_MS)
  })
})
