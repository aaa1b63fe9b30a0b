import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createWorkspaceClient, uploadFile, UploadInterruptedError, type UploadProgress } from '../../client/src/index.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

const server = await serverOfFile()
const service = createWorkspaceClient({ baseUrl: server.url, token: TOKEN })
const MIB = 2 ** 20
const large = new Blob([randomBytes(21 * MIB)], { type: 'video/mp4' })

async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < blob.size; at += 3 * MIB) yield new Uint8Array(await blob.slice(at, at + 3 * MIB).arrayBuffer())
}

describe("the client's upload", () => {
  it('sends a path, a File, a Blob and a stream in one request', async () => {
    const path = join(tmpdir(), `tide-${process.pid}.txt`)
    await writeFile(path, 'Low water')
    const file = new File(['Low water'], 'tide.txt', { type: 'text/plain' })
    const sources = [path, file, new Blob(['Low water'], { type: 'text/plain' }), chunksOf(file)]
    for (const source of sources) {
      const upload = await uploadFile(service, source, { filename: 'tide.txt', contentType: 'text/plain' })
      expect(upload).toMatchObject({ status: 'uploaded', filename: 'tide.txt', content_length: 9 })
    }
    expect(await uploadFile(service, file)).toMatchObject({ filename: 'tide.txt', content_type: 'text/plain' })
  })

  it('sends a Blob and a stream of known size in parts, and reports progress', async () => {
    for (const source of [large, chunksOf(large)]) {
      const seen: UploadProgress[] = []
      const options = { filename: 'tides.mp4', contentType: 'video/mp4', bytes: large.size }
      const upload = await uploadFile(service, source, { ...options, onProgress: (progress) => void seen.push(progress) })
      expect(upload).toMatchObject({ status: 'uploaded', content_length: large.size, content_type: 'video/mp4' })
      expect(seen).toHaveLength(3)
      expect(seen.at(-1)).toEqual({ id: upload.id, sentBytes: large.size, totalBytes: large.size, sentParts: [1, 2, 3] })
    }
  })

  it('resumes after a failure with the missing parts', async () => {
    let sends = 0
    const failing = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      fetch: async (request) => {
        if (request.url.endsWith('/send') && (sends += 1) === 2) throw new Error('lost')
        return fetch(request)
      },
    })
    const options = { filename: 'tides.mp4', concurrency: 1 }
    const error: unknown = await uploadFile(failing, large, options).catch((caught: unknown) => caught)
    if (!(error instanceof UploadInterruptedError)) throw new Error('it went well')
    expect(error.progress).toMatchObject({ sentParts: [1], sentBytes: 10 * MIB })
    const progress = JSON.parse(JSON.stringify(error.progress)) as UploadProgress
    sends = 10
    const upload = await uploadFile(failing, large, { ...options, resume: progress })
    expect([upload.status, upload.id, sends]).toEqual(['uploaded', progress.id, 12])
  })

  it('refuses a long stream of unknown size', async () => {
    await expect(uploadFile(service, chunksOf(large))).rejects.toThrow('needs the option `bytes`')
  })
})
