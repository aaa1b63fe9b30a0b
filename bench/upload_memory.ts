import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspaceClient } from '../client/src/index.ts'

/** Sends a large file in parts and prints the peak memory of the service: `node bench/upload_memory.ts [GiB]`. */
const PART_BYTES = 20 * 1024 * 1024
const [, , gigabytes = '2'] = process.argv
const parts = Math.ceil((Number(gigabytes) * 1024 ** 3) / PART_BYTES)
const token = 'itk_bench_of_upload_memory'
const folder = mkdtempSync(join(tmpdir(), 'upload-memory-'))
const child = spawn(process.execPath, ['server/main.js'], {
  env: {
    ...process.env,
    PORT: '0',
    BOOTSTRAP_TOKEN: token,
    RATE_LIMIT: 'off',
    DATABASE_URL: `sqlite:${folder}/w.db`,
    FILES_URL: `file:${folder}/f`,
  },
})
const peak = (): string => /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? ''
try {
  const baseUrl = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const url = /listens on (http\S+)/.exec(chunk.toString())?.[1]
      if (url) resolve(url)
    })
  })
  const service = createWorkspaceClient({ baseUrl, token })
  const { id } = await service.fileUploads.create({ mode: 'multi_part', filename: 'tides.mp4', number_of_parts: parts })
  const file = new Blob([Buffer.alloc(PART_BYTES, 1)])
  console.log(`before: ${Number(peak()) / 1024} MiB at most`)
  const start = performance.now()
  for (let number = 1; number <= parts; number += 1) {
    await service.fileUploads.send({ file_upload_id: id, file, part_number: String(number) })
    if (number % 20 === 0 || number === parts) console.log(`${number * 20} MiB sent: ${Number(peak()) / 1024} MiB at most`)
  }
  await service.fileUploads.complete({ file_upload_id: id })
  console.log(`${parts * 20} MiB in ${((performance.now() - start) / 1000).toFixed(1)} s`)
} finally {
  child.kill()
  rmSync(folder, { recursive: true, force: true })
}
