/** `npm run dev` follows saves of every kind, reports faults until they are fixed, and ends on a signal. */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isFree, spawnNpm } from '../harness/process.ts'
import { projectRoot } from '../spec/support/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'dev-test-'))
const spec = join(folder, 'spec')
const notes = join(spec, 'resources/notes')
const path = join(notes, 'paths/note.yaml')
let dev: ChildProcess
let output = ''
let address = ''

beforeAll(async () => {
  cpSync(join(projectRoot, 'tests/spec/fixtures/contract'), spec, { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message=Notes')
  const options = ['--root', join(spec, 'openapi.yaml'), '--port', '0', '--no-generate']
  dev = spawn(process.execPath, [join(projectRoot, 'scripts/dev.ts'), ...options], { cwd: folder })
  dev.stdout?.on('data', (text) => (output += text))
  dev.stderr?.on('data', (text) => (output += text))
  await vi.waitUntil(() => / watching /.test(output), { timeout: 120_000 })
  address = /Reference: (\S+)/.exec(output)?.[1] ?? ''
})

afterAll(() => {
  dev.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

function git(...words: string[]): void {
  const known = ['-c', 'user.name=Designer', '-c', 'user.email=designer@workspace.example']
  expect(spawnSync('git', [...known, ...words], { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 })
}

const withSummary = (summary: string): string => readFileSync(path, 'utf8').replace(/summary: .*/, () => `summary: ${summary}`)
const page = async (): Promise<string> => (await fetch(`${address}/operations/retrieveNote.html`)).text()
const shows = (summary: string): Promise<void> => expect.poll(page).toContain(`<h1>${summary}</h1>`)

it('npm run dev shows each file saved in place, by a rename, by sed or by git', async () => {
  await shows('Retrieve a note')
  for (const time of ['once', 'twice']) {
    writeFileSync(path, withSummary(`In place ${time}`))
    await shows(`In place ${time}`)
    writeFileSync(`${path}.swp`, withSummary(`By a rename ${time}`))
    renameSync(`${path}.swp`, path)
    await shows(`By a rename ${time}`)
    spawnSync('sed', ['-i', `s/summary: By a rename ${time}/summary: By sed ${time}/`, path])
    await shows(`By sed ${time}`)
    git('checkout', '--quiet', '.')
    await shows('Retrieve a note')
  }
})

it('npm run dev makes open pages reload', async () => {
  const stream = (await fetch(`${address}/reload`)).body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await stream?.read())?.value).toContain('open')
  writeFileSync(path, withSummary('Reloaded'))
  expect((await stream?.read())?.value).toContain('event: reload')
  await stream?.cancel()
  await shows('Reloaded')
  git('checkout', '--quiet', '.')
  await shows('Retrieve a note')
})

it('npm run dev reports a fault, keeps the last valid page, and reports when a new file fixes the fault', async () => {
  const lengthBefore = output.length
  const news = (): string => output.slice(lengthBefore)
  writeFileSync(path, withSummary('With another id').replace('parameters/NoteId.yaml', 'parameters/NoteName.yaml'))
  await expect.poll(news).toMatch(/note\.yaml:\d+:\d+ .*NoteName\.yaml/)
  expect(await page()).toContain('<h1>Retrieve a note</h1>')

  cpSync(join(notes, 'parameters/NoteId.yaml'), join(notes, 'parameters/NoteName.yaml'))
  await shows('With another id')

  rmSync(join(notes, 'parameters/NoteName.yaml'))
  const deleted = output.length
  await expect.poll(() => output.slice(deleted)).toMatch(/note\.yaml:\d+:\d+ .*NoteName\.yaml/)
  git('checkout', '--quiet', '.')
  await shows('Retrieve a note')
})

it('npm run dev continues after a file that is not YAML', async () => {
  const lengthBefore = output.length
  writeFileSync(path, 'get: [')
  await expect.poll(() => output.slice(lengthBefore)).toContain('note.yaml')
  git('checkout', '--quiet', '.')
  writeFileSync(path, withSummary('Fixed'))
  await shows('Fixed')
})

it('npm run dev ends on SIGTERM', async () => {
  const ended = once(dev, 'exit')
  dev.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it('npm run dev ends when npm ends', async () => {
  const npm = spawnNpm(['dev', '--', '--root', join(spec, 'openapi.yaml'), '--port', '0', '--no-generate'])
  try {
    await vi.waitUntil(() => / watching /.test(npm.output()), { timeout: 120_000 })
    const reference = /Reference: (\S+)/.exec(npm.output())?.[1] ?? ''
    expect((await fetch(reference)).status).toBe(200)
    npm.terminate()
    await npm.closed
    expect(await isFree(Number(new URL(reference).port))).toBe(true)
  } finally {
    npm.endGroup()
  }
})
