import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HttpsFiles } from '../../server/outbound/https_files.ts'
import { until } from '../harness/process.ts'
import { onceRequested, redirect, startRemoteHost, type RemoteHandler, type RemoteHost } from '../harness/remote_host.ts'

/** Slow hosts. The service's own timeouts are longer than in these tests. */
const silent: RemoteHandler = () => undefined
const stopping: RemoteHandler = (_request, response) => void response.write('High water')
const dripping: RemoteHandler = (_request, response) => {
  const drip = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(drip))
}

let remote: RemoteHost
let files: HttpsFiles
beforeAll(async () => {
  remote = await startRemoteHost({
    silent,
    stopping: onceRequested('text/plain', stopping),
    dripping: onceRequested('text/plain', dripping),
    led_to_silence: redirect('/silent'),
  })
  files = new HttpsFiles({ allowedHosts: [remote.host], timeouts: { inspect: 150, idle: 150, download: 500 } })
})
afterAll(() => remote.close())

async function readAll(path: string, signal = new AbortController().signal): Promise<number> {
  const { bytes } = await files.download(remote.url(path), signal)
  let length = 0
  for await (const chunk of bytes) length += chunk.byteLength
  return length
}

describe('a host of files to import', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['before its response', () => files.inspect(remote.url('silent'))],
    ['after a redirect', () => files.inspect(remote.url('led_to_silence'))],
    ['before the response to a download', () => readAll('silent')],
    ['between two bytes', () => readAll('stopping')],
    ['over the whole download', () => readAll('dripping')],
  ])('is disconnected when it stalls %s', async (_what, stall) => {
    await expect(stall()).rejects.toMatchObject({ name: 'RemoteError', message: 'takes too long', statusCode: null })
    await until(() => (remote.openResponses() === 0 ? true : undefined))
  })

  it('is disconnected when the reader aborts', async () => {
    const leaving = new AbortController()
    const reading = readAll('dripping', leaving.signal)
    setTimeout(() => leaving.abort(), 100)
    await expect(reading).rejects.toMatchObject({ name: 'RemoteError' })
    await until(() => (remote.openResponses() === 0 ? true : undefined))
  })

  it('is not reached through a name that resolves to a private address, or through another port of an allowed host', async () => {
    const { port } = new URL(remote.url(''))
    const patient = new HttpsFiles({ allowedHosts: [remote.host] })
    for (const host of ['localhost:9', 'localhost', `127.0.0.1:${port}`, `[::1]:${port}`])
      await expect(patient.inspect(`https://${host}/silent`)).rejects.toMatchObject({ message: 'is not public' })
  })
})
