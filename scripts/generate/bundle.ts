/** Step 1: the files of `spec/` become one document. Redocly does the work; this module stages the root and reads the result. */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import { isObject, type Document } from './document.ts'
import { readAnswerHeaders, type AnswerHeader } from './answer_headers.ts'

const run = promisify(execFile)
const projectRoot = resolve(import.meta.dirname, '../..')

export interface Bundle {
  document: Document
  answerHeaders: AnswerHeader[]
}

/**
 * Bundles the contract whose root file is `root` (absolute path). The response headers named in
 * `shared/headers/answer_headers.yaml` beside the root come in as components, although no source file refers to them.
 * Throws with Redocly's own words when a reference is broken or two files claim one component name.
 */
export async function bundle(root: string): Promise<Bundle> {
  const answerHeaders = await readAnswerHeaders(dirname(root))
  const folder = await mkdtemp(join(tmpdir(), 'contract-'))
  try {
    const staged = join(folder, 'openapi.yaml')
    await writeFile(staged, stringify(await stagedRoot(root, answerHeaders)))
    const output = join(folder, 'bundle.json')
    await redoclyBundle(staged, output)
    return { document: readDocument(await readFile(output, 'utf8')), answerHeaders }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The root with absolute references (it is bundled from another folder) and the answer headers as components. */
async function stagedRoot(root: string, answerHeaders: AnswerHeader[]): Promise<unknown> {
  const source: unknown = absoluteRefs(parse(await readFile(root, 'utf8')), dirname(root))
  if (!isObject(source)) throw new Error(`${root} is not a YAML map`)
  const components = isObject(source['components']) ? source['components'] : {}
  const headers = Object.fromEntries(answerHeaders.map(({ component, file }) => [component, { $ref: file }]))
  return { ...source, components: { ...components, headers } }
}

function absoluteRefs(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => absoluteRefs(item, folder))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === '$ref' && typeof item === 'string' && !item.startsWith('#') && !isAbsolute(item)
        ? [key, join(folder, item)]
        : [key, absoluteRefs(item, folder)],
    ),
  )
}

async function redoclyBundle(root: string, output: string): Promise<void> {
  const command = join(projectRoot, 'node_modules/@redocly/cli/bin/cli.js')
  const options = [
    '--component-renaming-conflicts-severity=error',
    `--config=${join(projectRoot, 'scripts/generate/redocly.bundle.yaml')}`,
  ]
  try {
    await run(process.execPath, [command, 'bundle', root, '-o', output, ...options], {
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' },
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new Error(`The contract does not bundle:\n${problemsIn(words).join('\n')}`)
  }
}

/** One line per problem, `file:line:column  what`, from Redocly's pages of context; the words themselves when they look different. */
function problemsIn(words: string): string[] {
  const problems = [...words.matchAll(/^\[\d+\] (\S+)[^\n]*\n+([^\n]+)/gm)].map(
    ([, place = '', what = '']) => `${relative(projectRoot, resolve(place))}  ${what}`,
  )
  return problems.length > 0 ? problems : [words.trim()]
}

function readDocument(text: string): Document {
  const value: unknown = JSON.parse(text)
  if (!isObject(value) || typeof value['openapi'] !== 'string' || !isObject(value['paths'])) {
    throw new Error('The bundle is no OpenAPI document')
  }
  return { components: {}, ...value } as Document // its structure is what `redocly lint` checks
}
