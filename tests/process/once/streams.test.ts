import express from 'express'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../../../server/config.ts'
import { Admission } from '../../../server/http/admission.ts'
import { OpenStreams } from '../../../server/http/open_streams.ts'

/** The registry with real event streams over real sockets. */
describe('open streams', () => {
  const streams = new OpenStreams()
  const admission = new Admission(parseConfig({ REQUESTS_IN_FLIGHT_MAX: '2' }).load, () => '')
  admission.open()
  let server: Server | undefined
  afterEach(() => server?.closeAllConnections())

  async function serve(end: (write: (text: string) => void) => void | Promise<void>): Promise<string> {
    const app = express()
    app.get('/', (_request, response) => {
      admission.admit(response)
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('data: first\n\n')
      admission.trackStream(response)
      streams.add(response, async () => {
        await end((text) => response.write(text))
        response.end()
      })
    })
    server = createServer(app)
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  it('do not count as requests in flight, and end with their last frame', async () => {
    const url = await serve((write) => write('data: last\n\n'))
    const bodies = await Promise.all([1, 2, 3, 4].map(() => fetch(url)))
    expect(streams.size).toBe(4)
    expect(admission.requestsInFlight).toBe(0)
    await streams.end()
    for (const body of bodies) expect(await body.text()).toBe('data: first\n\ndata: last\n\n')
    expect(streams.size).toBe(0)
  })

  it('are closed when their caller disconnects', async () => {
    const url = await serve(() => undefined)
    const controller = new AbortController()
    await fetch(url, { signal: controller.signal })
    expect(streams.size).toBe(1)
    controller.abort()
    await expect.poll(() => streams.size).toBe(0)
  })

  it('are cut off when they do not end in time, without delaying others', async () => {
    let count = 0
    const url = await serve((write) => {
      count += 1
      if (count === 1) throw new Error('no goodbye')
      write('data: last\n\n')
    })
    const [broken, whole] = [await fetch(url), await fetch(url)]
    await streams.end()
    await expect(broken.text()).rejects.toThrow()
    expect(await whole.text()).toContain('last')
  })
})
