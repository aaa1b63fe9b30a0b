/** The rendered reference: complete, and at work without any other address. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { curlCall } from '../../scripts/docs/curl.ts'
import { docsDocument } from '../../scripts/docs/document.ts'
import { renderDocs } from '../../scripts/docs/render.ts'
import { operationsOf, type Document } from '../../scripts/generate/document.ts'
import { errorCodeTables } from '../../scripts/generate/error_codes.ts'
import { readReleases } from '../../scripts/generate/versions.ts'
import { projectRoot } from '../spec/support/files.ts'

const browserPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
let document: Document
let folder = ''

beforeAll(async () => {
  document = JSON.parse(await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8')) as Document
  folder = await mkdtemp(join(tmpdir(), 'docs-test-'))
  await renderDocs(document, folder)
})

afterAll(() => rm(folder, { recursive: true }))

test('every operation tells the rights it needs and has a curl call', () => {
  for (const { operation } of operationsOf(docsDocument(document, ''))) {
    expect(operation.description, operation.operationId).toMatch(/^\*\*Needs:\*\* /)
    expect(JSON.stringify(operation['x-codeSamples']), operation.operationId).toContain('curl ')
  }
})

test('a curl call has the address, credentials, version and body of the examples', () => {
  const placed = operationsOf(document).find(({ operation }) => operation.operationId === 'updateBlock')
  const call = placed === undefined ? '' : curlCall(document, placed)
  expect(call).toMatch(/^curl -X PATCH "\$BASE_URL\/v1\/blocks\/[0-9a-f-]{36}" \\\n/)
  expect(call).toContain('-H "Authorization: Bearer $TOKEN"')
  expect(call).toContain("-H 'Service-Version: 2026-03-11'")
  expect(call).toContain("-d '{")
})

test('the page names every operation and every error code', async () => {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const { api, oauth } = errorCodeTables(document)
  const words = [
    ...operationsOf(document).map(({ operation }) => operation.operationId),
    ...[...api, ...oauth].map(({ code }) => code),
  ]
  expect(words.filter((word) => !page.includes(word))).toEqual([])
})

test('the page tells every change of every version', async () => {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const releases = await readReleases(join(projectRoot, 'spec/versions'))
  expect(releases.length).toBeGreaterThan(0)
  const changes = releases.flatMap((release) => release.changes.map(({ id }) => `### ${id} · `))
  expect(changes.filter((heading) => !page.includes(heading))).toEqual([])
})

test('a browser shows it from the disk and fetches nothing else', async () => {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage()
    const fetched: string[] = []
    const errors: string[] = []
    page.on('requestfinished', (request) => void (/^https?:/.test(request.url()) && fetched.push(request.url())))
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(`file://${folder}/index.html#/blocks/appendblockchildren`)
    await page.getByRole('heading', { name: 'Append children to a block' }).waitFor({ timeout: 60_000 })
    expect(errors).toEqual([])
    expect(fetched).toEqual([])
  } finally {
    await browser.close()
  }
})
