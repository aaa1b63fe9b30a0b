/** The error responses that an operation includes from a list by `x-errors`. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bundle as bundleByRedocly, createConfig } from '@redocly/openapi-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { bundleContract } from '../../scripts/generate/contract.ts'
import { faultsIn } from '../../scripts/generate/faults.ts'
import { projectRoot } from './support/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'error-responses-test-'))
const root = join(folder, 'openapi.yaml')
const list = join(folder, 'shared/errors/api.yaml')

beforeEach(() => cpSync(join(import.meta.dirname, 'fixtures/contract'), folder, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(folder, file), text.replace(from, to))
}

const responsesOf = async (): Promise<unknown> => {
  const { document } = await bundleContract(root)
  const { get } = document.paths['/v1/notes'] ?? {}
  expect(get).not.toHaveProperty('x-errors')
  const responses = Object.entries(get?.responses ?? {})
  return Object.fromEntries(
    responses.map(([status, response]) => [status, '$ref' in response ? response.$ref : response.description]),
  )
}
const component = (name: string): string => `#/components/responses/${name}`

test('an operation has the responses of its list of errors, and its own responses', async () => {
  const listed = { 200: 'A page of notes.', 400: component('BadRequest'), 429: component('TooManyRequests') }
  expect(await responsesOf()).toEqual(listed)
  edit(
    'resources/notes/paths/notes.yaml',
    "  responses:\n    '200'",
    "  responses:\n    '429': {description: Own words.}\n    '200'",
  )
  expect(await responsesOf()).toEqual({ ...listed, 429: 'Own words.' })
})

test('a fault in a list of errors is reported once, at its location; a missing list is reported at its reference', async () => {
  const faults = (): Promise<readonly string[]> => bundleContract(root).then(() => [], faultsIn)
  edit('shared/errors/api.yaml', 'TooManyRequests', 'Gone')
  expect(await faults()).toEqual([expect.stringMatching(`^${relative(process.cwd(), list)}:2:8  .*Gone.yaml`)])
  edit('shared/errors/api.yaml', 'Gone', 'TooManyRequests')
  edit('resources/notes/paths/notes.yaml', 'errors/api', 'errors/none')
  expect(await faults()).toEqual([expect.stringMatching('resources/notes/paths/notes.yaml:14:13  .*none.yaml')])
})

test('Redocly with the plugin in redocly.yaml bundles the same responses as the generator', async () => {
  const settings = "plugins: ['./scripts/generate/error_responses.js']\npreprocessors: {workspace/error-responses: on}"
  const config = await createConfig(settings, { configPath: join(projectRoot, 'redocly.yaml') })
  const { bundle, problems } = await bundleByRedocly({ ref: root, config })
  const { document } = await bundleContract(root)
  const statuses = (paths: object): unknown =>
    Object.values(paths).flatMap((item: object) =>
      Object.values(item).map((operation) => (operation.responses === undefined ? [] : Object.keys(operation.responses))),
    )
  expect(problems).toEqual([])
  expect(statuses((bundle.parsed as typeof document).paths)).toEqual(statuses(document.paths))
  expect(readFileSync(join(projectRoot, 'redocly.yaml'), 'utf8')).toContain('error-responses: on')
})
